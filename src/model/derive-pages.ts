import type { JsonObject } from '../../runtime/core/json.ts'
import { detailPage } from './derived/detail.ts'
import { formPage } from './derived/form.ts'
import { listPage } from './derived/list.ts'
import type { DerivedPage } from './derived/parts.ts'
import type { DerivedWords } from './derived/words.ts'
import type { Inverse } from './inverse.ts'
import type { MergedModule } from './merge-module.ts'
import type { IsOwn } from './page-parts.ts'

export { DERIVED_PAGES, type DerivedPage } from './derived/parts.ts'
export type { DerivedWords } from './derived/words.ts'

/** The page of a module of a tenant's own. "Customise" writes it out as an ordinary page. @param inverses  what names its records */
export function derivePage(
  page: DerivedPage,
  module: MergedModule,
  words: DerivedWords,
  isOwn: IsOwn,
  inverses: readonly Inverse[] = [],
): JsonObject {
  if (page === 'index') return listPage(module, words, isOwn)
  return page === 'detail' ? detailPage(module, words, inverses) : formPage(module, words, isOwn)
}
