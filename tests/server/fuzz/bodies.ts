import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { FULL_CONTACT } from '../full-records.ts'
import { OWN_MODULE } from '../isolation/routes.ts'
import { ownModule } from '../isolation/secrets.ts'
import { samplesOf, valuesOf } from '../model/own-field-kinds.ts'
import type { Client, TestApp } from '../support.ts'

/** Ids of a tenant's records, some of each kind. */
export type Ids = Readonly<Record<string, readonly string[]>>

const TABLES = [
  'lead',
  'product',
  'activity',
  'follow',
  'todo',
  'message',
  'pool',
  'role',
  'department',
  'audit_log',
]
/** Records of one customer, so that a body may name several that belong together. */
const FAMILY = ['contact', 'bussiness', 'contract', 'payment_plan', 'payment'] as const
const PEOPLE = ['u-demo', 'u-zhaolei', 'u-director']
/** Records of each kind. */
const MANY = 12

/** Reads some ids of every kind, a person's own first. */
export async function someIds({ database }: TestApp, tenantId: string, userId: string): Promise<Ids> {
  return database.system(async (trx) => {
    const column = async (query: RawBuilder<unknown>) => {
      const { rows } = await sql<{ id: string | null }>`${query}`.execute(trx)
      return rows.map((row) => row.id ?? 'none')
    }
    const found: Record<string, readonly string[]> = { user: PEOPLE }
    for (const table of TABLES)
      found[table] = await column(sql`select id from ${sql.table(table)}
        where tenant_id = ${tenantId} order by (to_jsonb(${sql.table(table)}) ->> 'owner_id' = ${userId}) desc nulls last, md5(id)
        limit ${MANY}`)
    const customers = sql`select id from customer where tenant_id = ${tenantId} and owner_id = ${userId} and deleted_at is null
      order by (select count(*) from contract t where t.customer_id = customer.id) desc, id`
    found.customer = await column(sql`${customers} limit ${MANY}`)
    found.other = await column(sql`${customers} offset ${MANY} limit ${MANY}`)
    const isOf = (table: string) =>
      table.startsWith('payment')
        ? sql`r.contract_id in (select k.id from contract k where k.customer_id = c.id)`
        : sql`r.customer_id = c.id`
    for (const table of FAMILY)
      found[table] = await column(sql`select (select r.id from ${sql.table(table)} r
        where r.tenant_id = ${tenantId} and ${isOf(table)} order by r.id desc limit 1) as id from (${customers} limit ${MANY}) c`)
    found.approval = await column(sql`select id from approval where tenant_id = ${tenantId}
      order by (waiting_ids @> array[${userId}]) desc limit ${MANY}`)
    return {
      ...found,
      plan: found.payment_plan ?? [],
      dept: found.department ?? [],
      log: found.audit_log ?? [],
    }
  })
}

/** The id at an index of a kind, modulo their number. */
type Pick = (kind: string) => string

const DAY = '2026-03-20'
const MOMENT = '2026-03-20 10:30:00'
const FILE = [{ id: 'f1', name: '合同.pdf', url: '/engine/web/file/f1', size: 1200, ext: 'pdf' }]
const PERSON = { mobile: '13912345678', telephone: '0571-88886666', wechat: 'wx_1', email: 'a@b.cn' }
const PLACE = { region: ['330000', '330100', '330106'], address: '文三路 1 号', lng: 120.1, lat: 30.2 }
const LIST: JsonObject = {
  tab: 'all',
  keyword: '科技 1391',
  filters: [
    { field: 'created_at', op: 'between', value: ['2026-01-01', MOMENT] },
    { field: 'owner_id', op: 'in', value: ['u-demo'] },
    { field: 'name', op: 'contains', value: '公司' },
  ],
  match: 'all',
  sort: [{ field: 'created_at', dir: 'desc' }],
  limit: 20,
  withTotal: true,
  withTabs: true,
  stat: { key: 'new_customer', period: 'custom', scope: 'mine', from: '2026-01-01', to: DAY },
}
const ASKED: JsonObject = {
  key: 'new_customer',
  keys: ['new_customer', 'new_contract'],
  period: 'custom',
  scope: 'user:u-demo',
  from: '2026-01-01',
  to: DAY,
  bucket: 'month',
  metric: 'contract_amount',
  by: 'user',
  dimension: 'source',
  flowId: 'default',
  limit: 10,
}

const customer = (id: Pick): JsonObject => ({
  name: '星海科技有限公司',
  short_name: '星海',
  customer_type: 'end_user',
  level: 'A',
  source: 'website',
  activity_id: id('activity'),
  industry: 'mining',
  scale: 's21_50',
  stage: 'potential',
  ...PERSON,
  website: 'https://example.com',
  credit_code: '91330106MA2ABCDE1X',
  ...PLACE,
  tags: ['quick_decision'],
  next_follow_at: MOMENT,
  remark: '备注',
  attachments: FILE,
})
const contact = (id: Pick): JsonObject => ({
  ...(FULL_CONTACT as JsonObject),
  ...PERSON,
  ...PLACE,
  customer_id: id('customer'),
})
const lead = (id: Pick): JsonObject => ({
  name: '新线索',
  company: '星海科技',
  contact_name: '王五',
  ...PERSON,
  position: '经理',
  source: 'website',
  activity_id: id('activity'),
  level: 'hot',
  industry: 'mining',
  scale: 's21_50',
  ...PLACE,
  demand: '需求',
  products: [id('product')],
  budget: 100.5,
  expected_date: DAY,
  next_follow_at: MOMENT,
  remark: '备注',
  attachments: FILE,
})
const bussiness = (id: Pick): JsonObject => ({
  customer_id: id('customer'),
  name: '新商机',
  contact_ids: [id('contact')],
  amount: 1000.5,
  expected_date: DAY,
  win_rate: 30,
  source: 'website',
  type: 'new',
  competitor: ['甲', '乙'],
  lines: [{ product_id: id('product'), price: 10.5, quantity: 3, discount: 90, remark: '行' }],
  discount_rate: 95,
  next_step: '拜访',
  next_follow_at: MOMENT,
  flow_id: 'default',
  stage_id: 's1',
  remark: '备注',
  attachments: FILE,
})
const contract = (id: Pick): JsonObject => ({
  contract_no: 'HT-1',
  name: '新合同',
  customer_id: id('customer'),
  bussiness_id: id('bussiness'),
  type: 'direct',
  amount: 1000,
  sign_date: DAY,
  start_date: DAY,
  end_date: '2027-03-19',
  our_signer_id: id('user'),
  customer_signer_id: id('contact'),
  payment_terms: 'once',
  discount_rate: 90,
  remark: '备注',
  attachments: FILE,
  lines: [{ product_id: id('product'), price: 10.5, quantity: 3, discount: 90, remark: '行' }],
  plans: [{ period_no: 1, plan_amount: 1000, plan_date: DAY, method: 'cash', remind_days: 3, remark: '期' }],
})
const payment = (id: Pick): JsonObject => ({
  payment_no: 'HK-1',
  contract_id: id('contract'),
  plan_id: id('plan'),
  amount: 10.5,
  paid_at: '2026-03-10',
  method: 'cash',
  payer: '星海',
  bank_account: '6222',
  voucher: FILE,
  remark: '备注',
})
const plan = (id: Pick): JsonObject => ({
  contract_id: id('contract'),
  plan_amount: 100.5,
  plan_date: DAY,
  method: 'cash',
  remind_days: 3,
  remark: '备注',
})
const product = (): JsonObject => ({
  name: '新产品',
  product_no: 'CP-1',
  category_id: 'software_pro',
  unit: 'suite',
  price: 100.5,
  cost: 10,
  min_price: 50,
  tax_rate: '1',
  spec: '规格',
  images: FILE,
  detail: '说明',
  sort: 1,
})
const activity = (id: Pick): JsonObject => ({
  name: '新活动',
  type: 'salon',
  start_at: MOMENT,
  end_at: '2026-03-20 18:00:00',
  place: '杭州',
  online_url: 'https://example.com/live',
  lng: 120.1,
  lat: 30.2,
  cover: FILE,
  content: '内容',
  attachments: FILE,
  budget: 100,
  actual_cost: 50,
  expected_count: 30,
  owner_id: id('user'),
  member_ids: [id('user')],
})
const follow = (id: Pick): JsonObject => ({
  target_type: 'customer',
  target_id: id('customer'),
  method: 'call',
  content: '谈了价格',
  result: 'interested',
  followed_at: '2026-03-16 09:00:00',
  next_plan: '再约',
  images: FILE,
  files: FILE,
  audio: FILE,
  contact_ids: [id('contact')],
  next_follow_at: MOMENT,
  stage_change: { stage_id: 's2' },
  location: { lng: 120.1, lat: 30.2, address: '文三路' },
  call: { id: 'c1', mobile: '13912345678', duration: 60, answered: true },
  mention_ids: [id('user')],
})
const todo = (id: Pick): JsonObject => ({
  title: '打电话',
  remark: '备注',
  assignee_id: id('user'),
  participant_ids: [id('user')],
  due_at: MOMENT,
  remind_at: [MOMENT],
  priority: 'mid',
  repeat: 'week',
  type: 'call',
  target_type: 'customer',
  target_id: id('customer'),
})
const RECORDS: Readonly<Record<string, (id: Pick) => JsonObject>> = {
  customer,
  contact,
  lead,
  bussiness,
  contract,
  payment,
  plan,
  product,
  activity,
  follow,
  todo,
  [OWN_MODULE]: (id) => ({
    title: '库里的东西',
    status: 'open',
    customer_id: id('customer'),
    ...valuesOf(samples(id)),
  }),
}

/** A value of every kind of field. */
const samples = (id: Pick) => samplesOf({ product: id('product'), user: 'u-demo', dept: id('dept') })

/** Creates an own module with a field of every kind, and some records of it. @returns their ids */
export async function someOwnRecords(person: Client, ids: Ids): Promise<readonly string[]> {
  const first: Pick = (kind) => ids[kind]?.[0] ?? 'none'
  const post = async (path: string, body: JsonObject) => {
    const answer = await person.post(path, body)
    if (answer.meta.code !== 200) throw new Error(`${path}: ${answer.body}`)
    return answer.data
  }
  await post('/engine/web/module/save', { description: ownModule('库', samples(first)) })
  const made: string[] = []
  for (let n = 0; n < MANY; n += 1)
    made.push((await post(`/mini/m/${OWN_MODULE}/create`, RECORDS[OWN_MODULE]?.(first) ?? {})).id)
  return made
}

/** Bodies of calls that are not about one record. The first match counts. */
const OTHERS: readonly (readonly [RegExp, (id: Pick, kind: string) => JsonObject])[] = [
  [
    /\/lead\/convert$/,
    (id) => ({
      id: id('lead'),
      version: 1,
      customer: { ...customer(id), id: id('customer') },
      contact: contact(id),
      bussiness: bussiness(id),
      confirm: ['DUPLICATE'],
    }),
  ],
  [/\/contract\/(change|renew)$/, (id) => ({ id: id('contract'), version: 1, ...contract(id) })],
  [/\/lead\/match$/, (id) => ({ id: id('lead') })],
  [/\/transfer\/many$/, (id) => ({ list: LIST, toUserId: id('user'), reason: '调整', keepOld: 'read' })],
  [
    /\/transfer$/,
    (id, kind) => ({
      ids: [id(kind)],
      toUserId: id('user'),
      reason: '调整',
      keepOld: 'read',
      withTodo: true,
      withContract: true,
      withBussiness: true,
    }),
  ],
  [/\/export$/, () => ({ ids: [], ...LIST })],
  [/\/import\/\w+$/, () => ({ fileId: 'f1', mode: 'skip', mapping: ['name', null, 'mobile'] })],
  [
    /\/view\/save$/,
    () => ({ name: '视图', shared: true, isDefault: false, state: { a: [1] }, ...LIST, stat: undefined }),
  ],
  [
    /\/user\/save$/,
    (id) => ({
      id: id('user'),
      version: 1,
      ...PERSON,
      name: '张三',
      account: 'zhangsan3',
      password: 'Crm@2026x',
      employee_no: 'A9',
      position: '经理',
      dept_id: id('dept'),
      supervisor_id: id('user'),
      role_ids: [id('role')],
    }),
  ],
  [
    /\/user\/(status|password|handover)$/,
    (id) => ({ id: id('user'), enabled: true, password: 'Crm@2026x', toUserId: id('user') }),
  ],
  [
    /\/role\/save$/,
    (id) => ({
      id: id('role'),
      version: 1,
      name: '角色',
      permissions: ['customer:view'],
      scopes: { default: 'self', lead: 'all' },
      custom_depts: { default: [id('dept')] },
      field_rights: { customer: { mobile: 'masked' } },
      sort: 10,
      form: {
        name: '角色',
        all: false,
        p_customer: ['customer:view'],
        s_default: 'self',
        custom_depts: [],
        field_rows: [{ field: ['customer', 'mobile'], right: 'masked' }],
      },
    }),
  ],
  [
    /\/dept\/save$/,
    (id) => ({
      id: id('dept'),
      version: 1,
      name: '部门',
      parent_id: id('dept'),
      leader_id: id('user'),
      sort: 1,
    }),
  ],
  [
    /\/dict\/\w+$/,
    () => ({
      id: 'customer_level',
      key: 'customer_level',
      name: '级别',
      type: 'customer_level',
      value: 'A',
      values: ['A'],
      label: '甲',
      color: '#ff0000',
      sort: 1,
      disabled: false,
      parent: '',
      is_default: false,
      tree: false,
      to: 1,
    }),
  ],
  [/\/dict\/move$/, () => ({ key: 'customer_level', value: 'A', by: 1 })],
  [
    /\/web\/menu\/\w+$/,
    () => ({
      id: 1,
      parent_id: 0,
      path: '/pages/customer/my/index',
      title: '客户',
      icon: 'user',
      hide: 0,
      sort: 1,
      slot: ['shortcut'],
      permission: 'customer:view',
      shortcut: [1],
      common: [1],
      bottom: [1],
    }),
  ],
  [
    /\/pool\/(save|setting)$/,
    (id) => ({
      id: id('pool'),
      poolId: id('pool'),
      version: 1,
      entity: 'customer',
      name: '公海',
      member_all: false,
      member_dept_ids: [id('dept')],
      member_user_ids: [id('user')],
      admin_user_ids: [id('user')],
      is_default: false,
      filter: [],
      settings: { claim_day_most: 5, masked_fields: ['mobile'] },
      form: { name: '公海' },
    }),
  ],
  [/\/pool\/\w+\/list$/, (id, kind) => ({ poolId: id('pool'), entity: kind, ...LIST })],
  [
    /\/pool\/\w+\/\w+$/,
    (id, kind) => ({
      ids: [id(kind)],
      toUserIds: [id('user')],
      mode: 'single',
      poolId: id('pool'),
      force: true,
      reason: '退回',
      at: MOMENT,
    }),
  ],
  [
    /\/flow\/save$/,
    (id) => ({
      id: 'contract',
      entity: 'contract',
      version: 1,
      enabled: true,
      allow_self: false,
      name: '流程',
      steps: [{ name: '一', mode: 'any', kind: 'user', people: [id('user')] }],
      cc: [id('user')],
    }),
  ],
  [
    /\/notice\/save$/,
    () => ({ id: '', version: 1, title: '公告', content: '内容', publish: true, pinned_until: DAY }),
  ],
  [
    /\/tenant\/save$/,
    () => ({
      version: 1,
      name: '星海',
      short_name: '星海',
      timezone: 'Asia/Shanghai',
      industry: 'mining',
      logo: '/a.png',
      over_collect: 'warn',
      settings: {},
    }),
  ],
  [
    /\/page\/publish$/,
    () => ({ path: '/pages/customer/my/add', document: { widgetList: [], formConfig: {} }, note: '改' }),
  ],
  [
    /\/approval\/act$/,
    (id) => ({ id: id('approval'), action: 'approve', opinion: '同意', toUserId: id('user'), toStep: 1 }),
  ],
  [/\/approval\/list$/, () => ({ ...LIST, entity: 'contract' })],
  [
    /\/user\/update$/,
    () => ({
      name: '张三',
      avatar: '/a.png',
      gender: 'male',
      ...PERSON,
      telephone: undefined,
      signature: '好',
    }),
  ],
  [/\/user\/preference$/, () => ({ theme: 'dark', lists: { customer: 'mine' } })],
  [/\/user\/menu\/save$/, () => ({ shortcut: [1, 2], common: [3, 4], bottom: [5, 6] })],
  [/\/session\/kick$/, () => ({ id: 'x' })],
  [
    /\/message\/setting$/,
    () => ({
      on: ['record.assigned'],
      off: [],
      push: true,
      quiet: true,
      quietFrom: '22:00',
      quietTo: '07:00',
      settings: { 'record.assigned': false },
    }),
  ],
  [/\/message\/\w+$/, (id) => ({ ids: [id('message')], all: false, category: 'todo', ...LIST })],
  [
    /\/stats\/target$/,
    (id) => ({
      objectType: 'user',
      objectId: id('user'),
      year: 2026,
      metric: 'contract_amount',
      months: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'],
    }),
  ],
  [/\/stats\/\w+$/, () => ASKED],
  [/\/todo\/snooze$/, (id) => ({ ids: [id('todo')], to: 'week' })],
  [
    /\/todo\/\w+$/,
    (id) => ({ ids: [id('todo')], id: id('todo'), toUserId: id('user'), note: '好', remark: '好' }),
  ],
  [/\/sync\/changes$/, () => ({ since: 'x', entities: ['customer', 'follow'] })],
  [
    /\/sync\/outbox$/,
    (id) => ({
      sentAt: MOMENT,
      ops: [
        { clientToken: 'fuzz-op-1', path: '/mini/todo/create', body: todo(id), at: MOMENT, tempId: 'tmp:1' },
      ],
    }),
  ],
  [
    /\/duplicate\/\w+$/,
    (id) => ({
      id: id('approval'),
      entity: 'customer',
      targetId: id('customer'),
      name: '星海',
      mobile: '13912345678',
      telephone: '0571-88886666',
      creditCode: '91330106MA2ABCDE1X',
      website: 'example.com',
      excludeId: id('customer'),
      reason: '协作',
      agree: true,
    }),
  ],
  [/\/customer\/nearby$/, () => ({ lng: 120.1, lat: 30.2, radius: 30 })],
  [
    /\/customer\/merge$/,
    (id) => ({
      masterId: id('customer'),
      ids: [id('other')],
      fields: { remark: '合并' },
      take: ['name', 'mobile'],
    }),
  ],
  [/\/relation\/save$/, (id) => ({ id: id('customer'), parentId: id('customer'), version: 1 })],
  [/\/customer\/deal$/, (id) => ({ ids: [id('customer')], dealStatus: 1, dealAt: '2026-03-10' })],
  [/\/contact\/move$/, (id) => ({ ids: [id('contact')], customerId: id('customer'), replace: true })],
  [
    /\/category\/\w+$/,
    () => ({
      value: 'software_pro',
      label: '软件',
      parent: '',
      sort: 1,
      disabled: false,
      id: 'software_pro',
    }),
  ],
  [
    /\/member\/save$/,
    (id) => ({
      id: id('activity'),
      members: [{ entity: 'lead', id: id('lead'), status: 'invited', name: '王', mobile: '13912345678' }],
    }),
  ],
  [/\/sign-in$/, (id) => ({ id: id('activity'), memberId: id('lead'), lng: 120, lat: 30 })],
  [
    /\/plan\/generate$/,
    (id) => ({
      contractId: id('contract'),
      preset: 'monthly',
      startDate: DAY,
      rows: [{ plan_amount: 10, plan_date: DAY }],
    }),
  ],
  [/\/payment\/reverse$/, (id) => ({ id: id('payment'), reason: '错', amount: 5, version: 1 })],
  [
    /\/follow\/comment$/,
    (id) => ({ id: id('follow'), content: '好', mentionIds: [id('user')], replyToId: id('follow') }),
  ],
  [
    /\/follow\/call-start$/,
    (id) => ({
      targetType: 'customer',
      targetId: id('customer'),
      phone: '13912345678',
      contactId: id('contact'),
    }),
  ],
  [/\/bussiness\/board$/, () => ({ flowId: 'default', stageId: 's1', ...LIST })],
  [
    /\/team\/\w+$/,
    (id, kind) => ({
      id: id(kind),
      members: [{ userId: id('user'), level: 'read' }],
      userId: id('user'),
      userIds: [id('user')],
      level: 'read',
      expireAt: DAY,
    }),
  ],
  [/\/(list|count|deleted)$/, () => LIST],
  [/\/job\/\w+$/, () => ({ id: 'x', ids: ['x'] })],
]

/** Parameters that all calls of records share. */
const verb = (id: Pick, kind: string): JsonObject => ({
  id: id(kind),
  ids: [id(kind), id(kind)],
  version: 1,
  field: 'mobile',
  on: true,
  reason: 'no_need',
  remark: '备注',
  status: 'contacted',
  stageId: 's2',
  note: '好',
  confirm: ['DUPLICATE'],
  poolId: id('pool'),
  until: MOMENT,
  value: 'x',
  level: 'A',
  tags: ['quick_decision'],
  next_follow_at: MOMENT,
})

/** A body of the call as the product sends it, as far as a table can know. */
export function rightBody(path: string, ids: Ids, at: number): JsonObject {
  const id: Pick = (kind) => ids[kind]?.[at % (ids[kind]?.length || 1)] ?? 'none'
  const kind = path.split('/').findLast((part) => part in ids) ?? 'customer'
  const other = OTHERS.find(([pattern]) => pattern.test(path))
  if (other !== undefined) return other[1](id, kind)
  const record = RECORDS[kind]
  if (record !== undefined && /\/create$/.test(path)) return record(id)
  if (record !== undefined && /\/update$/.test(path)) return { id: id(kind), version: 1, ...record(id) }
  if (/\/patch$/.test(path)) {
    const [name = 'level', value = 'A'] = Object.entries(record?.(id) ?? {}).at(at % 24) ?? []
    return { ids: [id(kind)], [name]: value as Json }
  }
  return verb(id, kind)
}

/** The query parameters of a call. */
export function rightQuery(path: string, ids: Ids, at: number): Record<string, string> {
  const id: Pick = (kind) => ids[kind]?.[at % (ids[kind]?.length || 1)] ?? 'none'
  const kind = path.split('/').findLast((part) => part in ids) ?? 'customer'
  return {
    id: id(kind),
    ids: id(kind),
    cursor: 'x',
    types: 'follow,log',
    keyword: '星海 1391',
    from: '2026-01-01',
    to: DAY,
    period: 'custom',
    scope: 'user:u-demo',
    userId: id('user'),
    deptId: id('dept'),
    filter: 'x',
    contractId: id('contract'),
    customerId: id('customer'),
    entity: 'customer',
    targetType: 'customer',
    targetId: id('customer'),
    key: 'new_customer',
    keys: 'customer_level,industry',
    type: 'privacy',
    path: '/pages/customer/my/add',
    limit: '20',
    year: '2026',
    objectType: 'user',
    objectId: id('user'),
    may: 'customer:view',
    withoutMe: '1',
    without: id('user'),
    poolId: id('pool'),
    deviceId: 'device-1',
    tenant: 'xinghai',
    until: '1',
    sign: 'x',
    date: DAY,
    month: '2026-03',
  }
}
