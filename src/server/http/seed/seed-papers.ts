import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { newId } from '../../kernel/db/id.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { bulkInsert } from './bulk-insert.ts'
import type { TenantPlan } from './tenant-plan.ts'

/** Number of contracts with related documents. */
const CONTRACTS = 16
/** Days between a quotation and its contract. Never on the day of the demo, so that no document number of today is used. */
const QUOTED_BEFORE = 12
/** Days of validity of a quotation. */
const QUOTED_FOR = 30
const COSTS = [
  ['traffic', 126.5, '往返高铁'],
  ['meal', 380, '客户招待'],
  ['travel', 560, '住宿一晚'],
] as const
const APPROVED = 2

interface Sold {
  readonly id: string
  readonly name: string
  readonly customer_id: string
  readonly customer_name: string
  readonly owner_id: string
  readonly owner_dept_id: string | null
  readonly amount: number
  readonly lines: Json
  readonly at: Date
  readonly day: string
  /** The end of its validity. */
  readonly until: string
}

/** Quotations, orders, invoice requests and expenses around the contracts of the demo. */
export async function seedPapers(plan: TenantPlan): Promise<void> {
  const { rows } =
    await sql<Sold>`select k.id, k.name, k.customer_id, c.name as customer_name, k.owner_id, k.owner_dept_id, k.amount,
      k.lines, least(k.created_at, ${plan.calendar.ago(1)}) - make_interval(days => ${QUOTED_BEFORE}) as at,
      to_char(least(k.created_at, ${plan.calendar.ago(1)}) - make_interval(days => ${QUOTED_BEFORE}), 'YYYY-MM-DD') as day,
      to_char(least(k.created_at, ${plan.calendar.ago(1)}) + make_interval(days => ${QUOTED_FOR - QUOTED_BEFORE}), 'YYYY-MM-DD') as until
    from contract k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${plan.tenantId} and k.approval_status = ${APPROVED} and jsonb_array_length(k.lines) > 0
    order by k.id limit ${CONTRACTS}`.execute(plan.trx)
  const papers = rows.map((sold, index) => papersOf(plan.tenantId, sold, index))
  await bulkInsert(plan.trx, 'record', papers.flat())
  const made = rows.flatMap((sold, index) =>
    (papers[index] ?? [])
      .filter(({ module, approval_status }) => module === 'quotation' && approval_status === APPROVED)
      .map(({ id }) => ({ to_id: sold.id, from_id: id, created_by: sold.owner_id, created_at: sold.at })),
  )
  await sql`insert into conversion (tenant_id, to_entity, to_id, from_entity, from_id, created_by, created_at)
    select ${plan.tenantId}, 'contract', to_id, ${ownRights('quotation')}, from_id, created_by, created_at
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
      as m (to_id text, from_id text, created_by text, created_at timestamptz)`.execute(plan.trx)
}

function papersOf(tenantId: string, sold: Sold, index: number) {
  const { name, customer_id, customer_name, id: contract_id, amount, lines, day } = sold
  const goods = { lines, discount_rate: 100, amount }
  const paper = (module: string, prefix: string, title: string, ext: object, status = APPROVED) => {
    const record_no = `${prefix}${day.replaceAll('-', '')}${String(index + 1).padStart(3, '0')}`
    const { search_text, search_tokens, py, py_initial } = searchColumns({
      kind: 'company',
      name: title,
      number: record_no,
      phones: [],
    })
    return {
      tenant_id: tenantId,
      module,
      id: newId(sold.at.getTime()),
      title,
      record_no,
      owner_id: sold.owner_id,
      owner_dept_id: sold.owner_dept_id,
      search_text,
      search_tokens,
      py,
      py_initial,
      created_by: sold.owner_id,
      created_at: sold.at,
      updated_by: sold.owner_id,
      updated_at: sold.at,
      approval_status: status,
      ext: { title, customer_id, ...ext },
    }
  }
  const isIssued = index % 3 !== 0
  const items = COSTS.slice(0, 1 + (index % COSTS.length)).map(([type, cost, remark]) => ({
    day,
    type,
    amount: cost,
    remark,
  }))
  return [
    paper(
      'quotation',
      'BJ',
      name,
      { quoted_on: day, valid_until: sold.until, ...goods },
      index % 4 === 0 ? 0 : APPROVED,
    ),
    paper('sales_order', 'DD', name, {
      contract_id,
      ordered_on: day,
      status: index % 2 === 0 ? 'done' : 'open',
      ...goods,
    }),
    paper('invoice_request', 'KP', customer_name, {
      contract_id,
      invoice_type: 'plain',
      amount,
      status: isIssued ? 'done' : 'open',
      issued_amount: isIssued ? amount : 0,
      ...(isIssued ? { invoice_no: `2411200000${String(10_000_000 + index)}`, issued_on: day } : {}),
    }),
    paper('expense', 'BX', `拜访${customer_name}`.slice(0, 100), {
      items,
      amount: items.reduce((sum, item) => sum + item.amount, 0),
      status: index % 2 === 0 ? 'paid' : 'open',
    }),
  ]
}
