import { sql } from 'kysely'
import { LARGE } from '../../kernel/approvals/flow.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { bulkInsert } from './bulk-insert.ts'
import { createChance } from './random.ts'
import { commonColumns, type TenantPlan } from './tenant-plan.ts'

/** Name, category, category path, unit, list price in yuan; some are off sale. */
const PRODUCTS = [
  ['星云协同办公 标准版', 'software_standard', 'software', 'seat', 299],
  ['星云协同办公 专业版', 'software_pro', 'software', 'seat', 599],
  ['星云协同办公 旗舰版', 'software_flagship', 'software', 'seat', 1299],
  ['数据看板 专业版', 'software_pro', 'software', 'suite', 36_000],
  ['手持数据终端 T2', 'hardware_terminal', 'hardware', 'set_unit', 2680],
  ['工业网关 G5', 'hardware_gateway', 'hardware', 'set_unit', 4980],
  ['边缘网关 G7', 'hardware_gateway', 'hardware', 'set_unit', 8800],
  ['外接天线', 'hardware_part', 'hardware', 'piece', 120],
  ['现场实施', 'service_setup', 'service', 'person_day', 2000],
  ['用户培训', 'service_training', 'service', 'time', 3000],
  ['年度运维', 'service_ops', 'service', 'year', 18_000],
  ['手持数据终端 T1', 'hardware_terminal', 'hardware', 'set_unit', 1980],
] as const
const OFF_THE_SHELF = 11
const REFUSED = '付款条件与报价单不一致，请核对后再提交'

/** Name, type, start in days from now, duration in hours. */
const ACTIVITIES = [
  ['春季数字化展会', 'exhibition', -120, 72],
  ['制造业客户沙龙', 'salon', -40, 4],
  ['新品线上发布', 'live', 0, 240],
  ['渠道伙伴研讨会', 'seminar', 12, 8],
  ['年度客户答谢', 'client_day', 35, 6],
] as const
const FIXED_SEED = 20_260_511
/** Amounts of contracts are multiples of 100 yuan, so that these quantities leave whole cents. */
const QUANTITIES = [1, 2, 4, 5, 10] as const

/** Products, activities, lines of contracts, and running and finished approvals (DOMAIN 6). */
export async function seedTrade(plan: TenantPlan): Promise<void> {
  const products = productRows(plan)
  await bulkInsert(plan.trx, 'product', products)
  await bulkInsert(plan.trx, 'activity', activityRows(plan))
  await addLines(plan, products)
  await bulkInsert(plan.trx, 'document_counter', counters(plan))
  await seedApprovals(plan)
}

function productRows(plan: TenantPlan) {
  const day = plan.calendar.day(200)
  return PRODUCTS.map(([name, category_id, root, unit, price], index) => ({
    ...commonColumns(plan, null, plan.calendar.ago(200)),
    name,
    product_no: `CP${day.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`,
    category_id,
    category_path: [root, category_id],
    unit,
    price,
    cost: Math.round(price * 40) / 100,
    min_price: Math.round(price * 70) / 100,
    tax_rate: root === 'service' ? '6' : '13',
    images: [],
    sort: index,
    status: index === OFF_THE_SHELF ? 0 : 1,
    ...searchOf(name),
  }))
}

function activityRows(plan: TenantPlan) {
  const [owner] = plan.sellers
  return ACTIVITIES.map(([name, type, days, hours], index) => {
    const start_at = plan.calendar.hourOn(days, hours < 8 ? 14 : 9)
    return {
      ...commonColumns(plan, owner?.userId ?? null, plan.calendar.ago(Math.max(1, -days + 20))),
      name,
      activity_no: `HD${plan.calendar.day(0).replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`,
      type,
      start_at,
      end_at: new Date(start_at.getTime() + hours * 3_600_000),
      place: type === 'live' ? null : '上海国际会议中心',
      cover: [],
      attachments: [],
      budget: 20_000 * (index + 1),
      actual_cost: days < 0 ? 18_000 * (index + 1) : null,
      owner_id: owner?.userId ?? '',
      member_ids: plan.sellers.slice(0, 4).map((seller) => seller.userId),
      ...searchOf(name),
    }
  })
}

function searchOf(name: string) {
  const { mobile_norm: _, ...search } = searchColumns({ kind: 'company', name, phones: [] })
  return search
}

/** Advances the counters past the numbers used here. */
function counters({ tenantId, calendar }: TenantPlan) {
  return [{ tenant_id: tenantId, kind: 'activity', day: calendar.day(0), last_number: ACTIVITIES.length }]
}

/** One line per contract, with its whole amount. */
async function addLines(plan: TenantPlan, products: ReturnType<typeof productRows>): Promise<void> {
  const { trx, tenantId } = plan
  const chance = createChance(FIXED_SEED)
  const { rows } = await sql<{ id: string; amount: number }>`select id, amount from contract
    where tenant_id = ${tenantId} order by contract_no`.execute(trx)
  const lines = rows.map(({ id, amount }) => {
    const product = chance.pick(products.slice(0, OFF_THE_SHELF))
    const quantity = chance.pick([...QUANTITIES])
    const price = Math.round((amount * 100) / quantity) / 100
    const line = { product_id: product.id, product_name: product.name, unit: product.unit }
    const money = {
      list_price: price,
      price,
      discount: 100,
      quantity,
      amount,
      below_min: false,
      remark: null,
    }
    return { id, lines: [{ ...line, ...money }] }
  })
  await sql`update contract k set lines = x.lines
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x(id text, lines jsonb)
    where k.tenant_id = ${tenantId} and k.id = x.id`.execute(trx)
}

/** Approvals of submitted contracts and payments: running, approved or rejected. People in copy were notified of finished ones. */
async function seedApprovals(plan: TenantPlan): Promise<void> {
  const { trx, tenantId, calendar } = plan
  const lookOn = sql`array(select r.user_id from role_assignment r join role k on k.tenant_id = r.tenant_id and k.id = r.role_id
    where r.tenant_id = ${tenantId} and k.code in ('finance', 'sales_director') order by r.user_id)`
  const directors = sql`array(select r.user_id from role_assignment r join role k on k.tenant_id = r.tenant_id and k.id = r.role_id
    where r.tenant_id = ${tenantId} and k.code = 'sales_director' and r.user_id <> x.owner_id order by r.user_id)`
  for (const [entity, title, kind] of [
    ['contract', 'name', 'superior'],
    ['payment', 'payment_no', 'role'],
  ] as const) {
    const name = text(`approval.step.${kind}`)
    const agreed = sql`case x.approval_status when 2 then jsonb_build_array(x.approver_ids[1]) else '[]'::jsonb end`
    const step = sql`jsonb_build_object('name', ${name}::text, 'mode', 'any', 'people', jsonb_build_array(x.approver_ids[1]), 'approved', ${agreed})`
    const isWaiting = sql`x.approval_status = 1`
    const directorStep = sql`jsonb_build_object('name', ${text('approval.step.role')}::text, 'mode', 'any', 'people', to_jsonb(second.directors),
      'approved', case x.approval_status when 2 then jsonb_build_array(second.directors[1]) else '[]'::jsonb end)`
    await sql`insert into approval (tenant_id, id, entity, record_id, title, amount, submitter_id, steps, step_no, barred_ids,
        waiting_ids, approver_ids, cc_ids, status, submitted_at, ended_at, created_by)
      select x.tenant_id, ${`${entity}-`}::text || x.id, ${entity}, x.id, x.${sql.ref(title)}, x.amount, x.owner_id,
        course.steps, case x.approval_status when 2 then jsonb_array_length(course.steps) else 0 end, array[x.owner_id],
        case when ${isWaiting} then array[x.approver_id] else '{}' end,
        x.approver_ids || array(select d from unnest(course.directors) d where d <> all(x.approver_ids)),
        case when ${isWaiting} then '{}' else ${lookOn} end,
        case x.approval_status when 1 then 'running' when 2 then 'approved' else 'rejected' end, x.created_at,
        case when not (${isWaiting}) then least(x.created_at + interval '2 hours', ${calendar.now}) end, x.owner_id
      from ${sql.table(entity)} x
        cross join lateral (select case when ${entity}::text = 'contract' and x.amount >= ${LARGE} then ${directors} else '{}' end as people) large
        cross join lateral (select case when large.people = x.approver_ids then '{}' else large.people end as directors) second
        cross join lateral (select second.directors, jsonb_build_array(${step}) || case cardinality(second.directors)
          when 0 then '[]'::jsonb else jsonb_build_array(${directorStep}) end as steps) course
      where x.tenant_id = ${tenantId} and x.approval_status between 1 and 3
        and x.approver_ids[1] is not null and (not (${isWaiting}) or x.approver_id is not null)`.execute(trx)
    await sql`insert into approval_act (tenant_id, id, approval_id, step_no, user_id, action, at)
      select a.tenant_id, a.id, a.id, 0, a.submitter_id, 'submit', a.submitted_at from approval a
      where a.tenant_id = ${tenantId} and a.entity = ${entity}`.execute(trx)
    await sql`insert into approval_act (tenant_id, id, approval_id, step_no, user_id, action, at)
      select a.tenant_id, a.id || '-first', a.id, 0, a.approver_ids[1], 'approve', a.submitted_at + (a.ended_at - a.submitted_at) / 2 from approval a
      where a.tenant_id = ${tenantId} and a.entity = ${entity} and a.status = 'approved' and a.step_no > 1`.execute(
      trx,
    )
    await sql`insert into approval_act (tenant_id, id, approval_id, step_no, user_id, action, opinion, at)
      select a.tenant_id, a.id || '-end', a.id, greatest(a.step_no - 1, 0),
        coalesce(a.steps -> (a.step_no - 1) -> 'approved' ->> 0, a.approver_ids[1]), case a.status when 'approved' then 'approve' else 'reject' end,
        case a.status when 'rejected' then ${REFUSED}::text end, a.ended_at from approval a
      where a.tenant_id = ${tenantId} and a.entity = ${entity} and a.status <> 'running'`.execute(trx)
    await sql`update ${sql.table(entity)} x set approver_ids = a.approver_ids from approval a where a.tenant_id = ${tenantId}
      and a.entity = ${entity} and x.tenant_id = a.tenant_id and x.id = a.record_id`.execute(trx)
    await sql`update ${sql.table(entity)} x set submitted_by = x.owner_id, submitted_at = x.created_at,
        approved_at = case when x.approval_status = 2 then x.created_at end
      where x.tenant_id = ${tenantId} and x.approval_status between 1 and 4`.execute(trx)
  }
}
