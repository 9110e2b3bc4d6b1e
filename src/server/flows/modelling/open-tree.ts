import { sql } from 'kysely'
import { isObject, type JsonObject, listOf } from '../../../../runtime/core/json.ts'
import type { Label } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { hasTree, MAX_LEVELS, PARENT, type TreeWords } from '../../../model/tree.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

export const treeWords = (): TreeWords => ({
  above: [text('tree.above'), text('tree.above-record')],
  below: text('tree.below'),
})

/**
 * Records may say already what stands above them when a module gets trees: from a field that did no more, or from trees it had before.
 *
 * @throws Refusal 422 for a circle, and for more levels than a tree has
 */
export async function openTree(
  given: JsonObject,
  before: JsonObject | undefined,
  { trx, caller }: { readonly trx: Trx; readonly caller: Caller },
): Promise<void> {
  if (!hasTree(given) || hasTree(before)) return
  const above = sql`r.ext ->> ${sql.lit(PARENT)}`
  const { rows } = await sql<{ title: string }>`
    with recursive up as (
      select r.id as of, ${above} as parent_id, 1 as depth from record r
        where r.tenant_id = ${caller.tenantId} and r.module = ${String(given.name)} and r.deleted_at is null and ${above} is not null
      union all
      select up.of, ${above}, up.depth + 1 from up join record r
          on r.tenant_id = ${caller.tenantId} and r.module = ${String(given.name)} and r.id = up.parent_id
        where r.deleted_at is null and up.depth <= ${MAX_LEVELS}
    ) select t.title from up join record t on t.tenant_id = ${caller.tenantId} and t.module = ${String(given.name)} and t.id = up.of
      where up.depth > ${MAX_LEVELS} limit 1`.execute(trx)
  const [first] = rows
  if (first === undefined) return
  const field = listOf(given.fields).find((one) => isObject(one) && one.name === PARENT)
  const label = labelText(((isObject(field) ? field.label : null) ?? PARENT) as Label)
  refuse(422, 'REFERENCED', text('tree.not-yet', { name: first.title, label, most: MAX_LEVELS }))
}
