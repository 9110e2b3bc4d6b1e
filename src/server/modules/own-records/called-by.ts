import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'

const MAX_TITLE = 500

/** The title and search columns, computed from the fields of a record. @param otherwise  the title if the title field is empty */
export function calledBy(
  module: MergedModule,
  ext: JsonObject,
  number: string | null,
  otherwise: string | null = number,
) {
  const title = String(ext[module.title] ?? otherwise ?? '').slice(0, MAX_TITLE)
  const phones = module.fields
    .filter(({ kind, search }) => kind === 'phone' && search === true)
    .map(({ name }) => (typeof ext[name] === 'string' ? String(ext[name]) : null))
  const found = searchColumns({ kind: 'company', name: title, number, phones })
  const { search_text, search_tokens, py, py_initial } = found
  return { title, search_text, search_tokens, py, py_initial }
}
