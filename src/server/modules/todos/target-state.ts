import { type RawBuilder, sql } from 'kysely'
import type { TodoRow } from '../../../contract/todo.ts'
import { labelText } from '../../../model/labels.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { POOL_ENTITIES, type PoolEntity } from '../../kernel/context/entities.ts'
import { urlOf } from '../../kernel/notices/links.ts'
import { linkToPooled, poolRight } from '../../kernel/pools/pooled.ts'
import { text } from '../../kernel/text/text.ts'
import { isVisible, isVisibleOwned } from '../../kernel/visibility/predicate.ts'

/** A record that the caller sees; in a pool if it has one. */
interface Seen {
  readonly type: string
  readonly id: string
  readonly pool_id: string | null
  readonly pool: string | null
}

/**
 * The to-dos with what became of their records: somebody who wrote down a to-do keeps it when the record goes to a pool or to a colleague, but then it
 * says so, does not lead to a page they may not open, and offers no follow-up.
 */
export async function withTargetStates(
  rows: readonly TodoRow[],
  ctx: CallContext,
): Promise<readonly TodoRow[]> {
  const asked = rows.filter(({ type, target_id }) => type !== 'approval' && target_id !== null)
  if (asked.length === 0) return rows
  const { rows: seen } = await sql<Seen>`${seenOf(asked, ctx)}`.execute(ctx.trx)
  const found = new Map(seen.map((it) => [`${it.type}/${it.id}`, it]))
  return rows.map((row) =>
    asked.includes(row) ? withState(row, found.get(`${row.target_type}/${row.target_id}`), ctx) : row,
  )
}

function withState(row: TodoRow, seen: Seen | undefined, ctx: CallContext): TodoRow {
  const pooled = POOL_ENTITIES.find((it) => it === row.target_type)
  if (seen !== undefined && seen.pool_id === null) return row
  const what = labelText(ctx.model.modules.get(row.target_type ?? '')?.label ?? '')
  const inPool = seen !== undefined && pooled !== undefined
  return {
    ...row,
    actions: row.actions.filter((action) => action !== 'follow'),
    target_note: inPool ? text('todo.pooled', { what, pool: seen.pool ?? '' }) : text('todo.lost', { what }),
    url: inPool ? urlOfPooled(pooled, seen.pool_id ?? '', row.target_id ?? '', ctx) : '',
  }
}

const urlOfPooled = (entity: PoolEntity, pool: string, id: string, { caller }: CallContext): string =>
  caller.permissions.has(poolRight(entity, 'view')) ? urlOf(linkToPooled(entity, pool, [id])) : ''

/** Those of the to-dos' records that the caller sees. */
function seenOf(rows: readonly TodoRow[], { caller }: CallContext): RawBuilder<unknown> {
  const idsOf = (type: string) => rows.flatMap((row) => (row.target_type === type ? [row.target_id] : []))
  const none = sql`null::text as pool_id, null::text as pool`
  const ours = (row: string) => sql`${sql.ref(`${row}.tenant_id`)} = ${caller.tenantId}`
  const parts: Readonly<Record<string, RawBuilder<unknown>>> = {
    ...Object.fromEntries(
      POOL_ENTITIES.map((entity) => [
        entity,
        sql`select ${entity} as type, r.id, case when r.owner_id is null then r.pool_id end as pool_id, p.name as pool
          from ${sql.table(entity)} r left join pool p on p.tenant_id = r.tenant_id and p.id = r.pool_id
          where ${isVisible(caller, entity, 'r')} and r.id = any(${idsOf(entity)}::text[])`,
      ]),
    ),
    contract: sql`select 'contract' as type, k.id, ${none} from contract k
      where ${isVisible(caller, 'contract', 'k')} and k.id = any(${idsOf('contract')}::text[])`,
    contact: sql`select 'contact' as type, k.id, ${none} from contact k
      join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
      where ${ours('k')} and k.deleted_at is null and ${isVisibleOwned(caller, 'customer', 'c')}
        and k.id = any(${idsOf('contact')}::text[])`,
    ...Object.fromEntries(
      [['plan', 'payment_plan'] as const, ['payment', 'payment'] as const].map(([type, table]) => [
        type,
        sql`select ${type} as type, l.id, ${none} from ${sql.table(table)} l
          join contract k on k.tenant_id = l.tenant_id and k.id = l.contract_id
          where ${ours('l')} and l.deleted_at is null and ${isVisible(caller, 'contract', 'k')}
            and l.id = any(${idsOf(type)}::text[])`,
      ]),
    ),
  }
  const asked = Object.entries(parts).filter(([type]) => idsOf(type).length > 0)
  return sql.join(
    asked.map(([, part]) => part),
    sql` union all `,
  )
}
