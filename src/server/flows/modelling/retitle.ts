import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { blockWriters } from '../../kernel/model/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { calledBy } from '../../modules/own-records/called-by.ts'
import type { Saving } from './save-module.ts'

/** Maximum records that are renamed within one call. */
const MAX_RENAMED = 10_000
const PART = 1000

interface Row {
  readonly id: string
  readonly title: string
  readonly record_no: string | null
  readonly ext: JsonObject
}

/**
 * Renames the records of a module after its title field has changed, including those in the recycle bin; a record without a value keeps its name.
 *
 * @throws Refusal 422 if there are too many for one call
 */
export async function retitle(
  module: MergedModule,
  { trx, caller }: Pick<Saving, 'trx' | 'caller'>,
): Promise<void> {
  await blockWriters(trx, caller.tenantId)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (select 1 from record
    where tenant_id = ${caller.tenantId} and module = ${module.name} limit ${MAX_RENAMED + 1}) one`.execute(
    trx,
  )
  if ((counted[0]?.n ?? 0) > MAX_RENAMED)
    refuse(422, 'BATCH_TOO_LARGE', text('model.title-many', { most: MAX_RENAMED }))
  for (let after = ''; ; ) {
    const { rows } = await sql<Row>`select id, title, record_no, ext from record
      where tenant_id = ${caller.tenantId} and module = ${module.name} and id > ${after}
      order by id limit ${PART} for update`.execute(trx)
    const titles = rows.map(({ ext, record_no, title }) =>
      calledBy(module, ext, record_no, record_no ?? title),
    )
    const each = <Key extends keyof (typeof titles)[number]>(key: Key) => titles.map((title) => title[key])
    await sql`update record r set title = v.title, search_text = v.search_text, py = v.py, py_initial = v.py_initial,
        search_tokens = array(select jsonb_array_elements_text(v.search_tokens))
      from unnest(${rows.map(({ id }) => id)}::text[], ${each('title')}::text[], ${each('search_text')}::text[],
        ${each('py')}::text[], ${each('py_initial')}::text[],
        ${each('search_tokens').map((one) => JSON.stringify(one))}::jsonb[]) v (id, title, search_text, py, py_initial, search_tokens)
      where r.tenant_id = ${caller.tenantId} and r.id = v.id`.execute(trx)
    const last = rows.at(-1)?.id
    if (rows.length < PART || last === undefined) return
    after = last
  }
}
