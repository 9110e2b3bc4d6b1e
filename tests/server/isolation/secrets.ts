import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { fieldsOf, nameOf, type Samples, samplesOf, valuesOf } from '../model/own-field-kinds.ts'
import type { Client, TestApp } from '../support.ts'
import { OWN_MODULE } from './routes.ts'

/**
 * Records of a salesperson of 星海科技, every text of which contains 机密; data shared by the whole company (names of people, roles,
 * menus, dictionaries, a notice, an activity) contains 家事.
 */
export interface Secrets {
  /** Ids by the word of the path that names their kind of record. */
  readonly ids: Readonly<Record<string, string>>
  /** Records that belong to the salesperson alone: table → id. */
  readonly owned: Readonly<Record<string, string>>
  /** Their rows as created. */
  readonly marks: Readonly<Record<string, string>>
  /** The sync cursor of the salesperson's copy of their records. */
  readonly since: string
  readonly mark: (table: string, id: string) => Promise<string>
}

/** Creates one record of each kind. */
export async function makeSecrets(server: TestApp): Promise<Secrets> {
  const owner = await server.as('demo')
  const keeper = await server.as('director')
  const admin = await server.as('admin')
  const made = async (client: Client, path: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await client.post(path, body as never)
    if (answer.meta.code !== 200) throw new Error(`${path}: ${answer.body}`)
    return answer.data.id
  }
  const customer = await made(owner, '/mini/customer/create', {
    name: '机密客户',
    remark: '机密备注',
    contacts: [{ name: '机密联系人', mobile: '13900009999' }],
  })
  const lead = await made(owner, '/mini/lead/create', {
    name: '机密线索',
    mobile: '13900007777',
    source: 'website',
  })
  const bussiness = await made(owner, '/mini/bussiness/create', {
    customer_id: customer,
    name: '机密商机',
    amount: 5,
    expected_date: '2026-05-01',
  })
  const follow = await made(owner, '/mini/follow/create', {
    target_type: 'customer',
    target_id: customer,
    method: 'call',
    content: '机密跟进',
  })
  const contract = await made(owner, '/mini/contract/create', {
    name: '机密合同',
    customer_id: customer,
    type: 'direct',
    amount: 10_000,
    sign_date: '2026-03-10',
    remark: '机密',
    plans: [{ plan_amount: 10, plan_date: '2026-04-01' }],
  })
  const todo = await made(owner, '/mini/todo/create', { title: '机密待办', due_at: '2026-03-20' })
  const product = await made(keeper, '/mini/product/create', {
    name: '机密产品',
    category_id: 'software_pro',
    unit: 'suite',
    price: 100,
  })
  const deal = { customer_id: customer, type: 'direct', amount: 500, sign_date: '2026-03-12' }
  const signed = await submitted(
    owner,
    await made(owner, '/mini/contract/create', { ...deal, name: '机密成交' }),
  )
  await (await server.as('manager')).post('/mini/approval/act', { id: signed, action: 'approve' })
  const payment = await made(owner, '/mini/payment/create', {
    contract_id: (await keeper.post('/mini/contract/list', { keyword: '机密成交' })).data.list[0].id,
    amount: 10,
    paid_at: '2026-03-12',
    method: 'cash',
    remark: '机密回款',
  })
  const approval = await submitted(
    owner,
    await made(owner, '/mini/contract/create', { ...deal, name: '机密送审' }),
  )
  await made(keeper, '/mini/todo/create', { title: '机密转交', due_at: '2026-03-21', assignee_id: 'u-demo' })
  const activity = await made(keeper, '/mini/activity/create', {
    name: '家事活动',
    type: 'salon',
    start_at: '2026-03-16 09:00:00',
    end_at: '2026-03-16 18:00:00',
  })
  const notice = await made(admin, '/engine/web/notice/save', {
    title: '家事',
    content: '家事',
    publish: true,
  })
  // A field of every kind in an own module and in a product module; every text contains 机密.
  const samples = samplesOf({ product, user: 'u-demo', dept: 'xh-sales-1' })
  const values = secretValues(samples)
  const description = (label: string) => ownModule(label, samples)
  const saved = async (client: Client, body: Record<string, unknown>) => {
    const answer = await client.post('/engine/web/module/save', { description: body } as never)
    if (answer.meta.code !== 200) throw new Error(answer.body)
  }
  await saved(admin, description('家事柜'))
  await saved(await server.as('yfadmin'), description('柜子'))
  await saved(admin, { name: 'lead', fields: [...fieldsOf(samples)] })
  await made(owner, '/mini/lead/create', {
    name: '机密自有线索',
    mobile: '13900007778',
    source: 'website',
    ext: values,
  })
  const theirs = { owner_id: 'u-demo' }
  const above = await made(admin, `/mini/m/${OWN_MODULE}/create`, { ...theirs, title: '机密上级' })
  const record = await made(admin, `/mini/m/${OWN_MODULE}/create`, {
    ...theirs,
    title: '机密物品',
    parent_id: above,
    ...values,
  })
  await made(admin, '/mini/follow/create', {
    target_type: `m/${OWN_MODULE}`,
    target_id: record,
    method: 'call',
    content: '机密工单跟进',
  })
  await server.database.system(async (trx) => {
    await sql`update membership set name = '家事' || name where tenant_id = 'xinghai' and user_id <> 'u-demo'`.execute(
      trx,
    )
    await sql`update dict_item set label = '家事' || label where tenant_id = 'xinghai'`.execute(trx)
    await sql`update menu set title = '家事' || title where tenant_id = 'xinghai'`.execute(trx)
    await sql`update role set name = '家事' || name where tenant_id = 'xinghai'`.execute(trx)
  })
  const first = async (table: string, of: RawBuilder<boolean> = sql`true`): Promise<string> => {
    const { rows } = await server.database.system((trx) =>
      sql<{ id: string }>`select id from ${sql.table(table)} where tenant_id = 'xinghai' and ${of}
        order by id desc limit 1`.execute(trx),
    )
    return rows[0]?.id ?? ''
  }
  const contact = await first('contact')
  const plan = await first('payment_plan')
  const message = await first('message', sql`receiver_id = 'u-demo'`)
  const session = await first('session', sql`user_id = 'u-demo'`)
  const owned = {
    customer,
    contact,
    lead,
    bussiness,
    follow,
    contract,
    payment,
    todo,
    message,
    approval,
    session,
    record,
  }
  const mark = async (table: string, id: string): Promise<string> => {
    const { rows } = await server.database.system((trx) =>
      sql<{ mark: string }>`select md5(t::text) as mark from ${sql.table(table)} t
        where tenant_id = 'xinghai' and id = ${id}`.execute(trx),
    )
    return rows[0]?.mark ?? ''
  }
  const marks = Object.fromEntries(
    await Promise.all(
      Object.entries(owned).map(async ([table, id]) => [table, await mark(table, id)] as const),
    ),
  )
  const ids = {
    ...owned,
    plan,
    product,
    pool: await first('pool'),
    role: await first('role'),
    dept: await first('department'),
    log: await first('audit_log'),
    activity,
    notice,
    user: 'u-zhaolei',
    [OWN_MODULE]: record,
    stats: 'u-demo',
    home: 'u-demo',
  }
  const since: string = (await owner.post('/mini/sync/changes')).data.next
  return { ids, owned, marks, mark, since }
}

/** An own module with every feature a module can have. */
export const ownModule = (label: string, samples: Samples): JsonObject => ({
  name: OWN_MODULE,
  label,
  title: 'title',
  number: 'JM{000}',
  behaviours: ['owned', 'follow', 'files', 'history', 'recycle', 'pool', 'team', 'star', 'tree'],
  tile: { label },
  menu: { place: 'work' },
  fields: [
    { name: 'title', kind: 'text', label, required: true, search: true },
    {
      name: 'customer_id',
      kind: 'ref',
      module: 'customer',
      label: '所属',
      inverse: { tab: 'vaults', label: '物品' },
    },
    {
      name: 'status',
      kind: 'choice',
      label: '状态',
      default: 'open',
      options: [
        { value: 'open', label: '开' },
        { value: 'shut', label: '关' },
      ],
    },
    // At most twenty filter fields are allowed.
    ...fieldsOf(samples).map((field) => {
      const { filter: _, sort: __, search: ___, ...unasked } = field
      return ['url', 'email', 'percent', 'phone'].includes(String(field.kind)) ? unasked : field
    }),
  ],
  statuses: { field: 'status', moves: { open: ['shut'], shut: ['open'] } },
})

/** A value of each kind, with its texts replaced. */
function secretValues(samples: Samples): JsonObject {
  const words = { text: '机密', 'long-text': '机密', texts: ['机密'] }
  const secret = Object.fromEntries(Object.entries(words).map(([kind, value]) => [nameOf(kind), value]))
  return { ...valuesOf(samples), ...secret }
}

/** Submits a contract for approval. @returns the id of the approval */
async function submitted(client: Client, id: string): Promise<string> {
  await client.post('/mini/contract/submit', { id })
  return (await client.get(`/mini/contract/detail?id=${id}`)).data.approval_id
}
