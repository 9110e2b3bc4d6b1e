import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CustomerRelation, RelatedCustomer } from '../../../contract/customer.ts'
import { MAX_LEVELS } from '../../../model/tree.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { applyChange, checkedChange } from '../../kernel/records/change-record.ts'
import { fieldsNamed, writtenFields } from '../../kernel/records/described.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { CUSTOMER_CHANGE } from './change-customer.ts'
import { customerRecord } from './detail.ts'
import { findCustomer, findForChange } from './find-customer.ts'
import { customerTree, lockCustomerTree } from './parent.ts'
import { customerUrl } from './record.ts'

/** Maximum number of customers of a tree that are shown, those nearest to the top first. */
const MAX_CUSTOMERS = 300

interface Row extends MaskableRow {
  readonly id: string
  readonly parent_id: string | null
  readonly name: string
  readonly level: string
  readonly deal_status: number
  readonly owner_name: string | null
  readonly visible: boolean
}

/**
 * GET /mini/customer/relation: the tree of a customer, from its root (DOMAIN 8.4). Customers that the caller does not see are left out; if a visible
 * one is below such a customer, it is shown with what the duplicate check shows (DOMAIN 1.1.3).
 */
export async function customerRelation(id: string, given: CallContext): Promise<CustomerRelation> {
  const ctx = await withReach(given)
  const found = await findCustomer(id, ctx)
  const rows = await readTree(found.id, ctx)
  const tops = rows.filter(({ parent_id }) => !rows.some((row) => row.id === parent_id))
  type Drawn = Omit<RelatedCustomer, 'key'>
  const drawAll = (some: readonly Row[], depth: number): readonly Drawn[] =>
    depth > MAX_LEVELS ? [] : some.flatMap((row) => draw(row, depth))
  const draw = (row: Row, depth: number): readonly Drawn[] => {
    const under = drawAll(
      rows.filter(({ parent_id }) => parent_id === row.id),
      depth + 1,
    )
    return row.visible || under.length > 0
      ? [{ ...relatedCustomer(row, ctx), depth, current: row.id === found.id }, ...under]
      : []
  }
  const list = drawAll(tops, 1)
  return {
    list: list.map((row, i) => ({ ...row, key: String(i) })),
    ...(rows.length > MAX_CUSTOMERS ? { most: MAX_CUSTOMERS } : {}),
  }
}

async function readTree(id: string, { trx, caller }: CallContext): Promise<readonly Row[]> {
  const isKnown = isClear(caller, 'customer', 'parent_id')
  const live = sql`c.tenant_id = ${caller.tenantId} and c.deleted_at is null`
  const { rows } = await sql<Row>`
    with recursive up as (
      select c.id, c.parent_id, 1 as height from customer c where ${live} and c.id = ${id}
      union all
      select c.id, c.parent_id, up.height + 1 from customer c join up on c.id = up.parent_id
        where ${live} and up.height < ${MAX_LEVELS} and ${isKnown}
    ), down as (
      (select id, 1 as depth from up order by height desc limit 1)
      union all
      select c.id, down.depth + 1 from customer c join down on c.parent_id = down.id
        where ${live} and down.depth < ${MAX_LEVELS} and ${isKnown}
    )
    select c.id, c.parent_id, c.name, c.level, c.deal_status, c.owner_id, o.name as owner_name, ${poolMasks('c')},
      ${isVisible(caller, 'customer', 'c')} as visible
    from customer c left join membership o on o.tenant_id = c.tenant_id and o.user_id = c.owner_id
    where ${live} and c.id = any(array(select id from up union select id from (select id from down limit ${MAX_CUSTOMERS + 1}) nearest))
    order by c.py, c.id`.execute(trx)
  return rows
}

function relatedCustomer(row: Row, { caller, zone }: CallContext) {
  const { id, name, level, deal_status, owner_name, owner_id, visible } = row
  const inPool = owner_id === null
  const open = visible
    ? { name, level, deal_status, owner_name }
    : { name: maskName(name), level: null, deal_status: null, owner_name }
  return {
    id: visible ? id : null,
    url: visible ? customerUrl(id, inPool) : null,
    masked: !visible,
    in_pool: inPool,
    ...(wireRow(maskRow(open, maskOf(caller, 'customer', row)), zone) as unknown as Pick<
      RelatedCustomer,
      'name' | 'level' | 'deal_status' | 'owner_name'
    >),
  }
}

/**
 * POST /mini/customer/relation/save: places a customer below another, or makes it independent (DOMAIN 8.4).
 * @param body  `id`, `parentId` (null: no parent)
 */
export async function saveRelation(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  await lockCustomerTree(ctx)
  const found = await findForChange(String(body.id ?? ''), ctx)
  const { parentId } = body
  if (parentId === undefined)
    refuseFaults({ parentId: text('record.required-choice', { label: customerTree(ctx).label }) })
  const fields = fieldsNamed(writtenFields('customer', ctx), ['parent_id'])
  const given = { parent_id: parentId ?? null }
  const values = await checkedChange(CUSTOMER_CHANGE, found, given, ctx, { fields })
  const before = await applyChange(CUSTOMER_CHANGE, found, values, ctx)
  const now = await findCustomer(found.id, ctx)
  return {
    data: { id: now.id, version: now.version, record: customerRecord(now, ctx) },
    recordId: now.id,
    detail: { before, after: pick(wireRow(now, ctx.zone), Object.keys(before)) },
  }
}
