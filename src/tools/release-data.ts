const PASSWORD = 'Crm@2026'
const POOLED = {
  name: 'site',
  label: '工地',
  title: 'title',
  behaviours: ['owned', 'follow', 'history', 'recycle', 'pool', 'team', 'star'],
  fields: [
    { name: 'title', kind: 'text', label: '名称', required: true, search: true },
    { name: 'phone', kind: 'phone', label: '电话', mask: 'pool', search: true },
    {
      name: 'status',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'new', label: '新' },
        { value: 'open', label: '在建' },
      ],
    },
    { name: 'floor', kind: 'integer', label: '楼层', filter: true, sort: true },
  ],
}
const page = (text: string) => ({
  formConfig: { page: { title: text } },
  widgetList: [{ type: 'static-text', id: 'hello', options: { name: 'hello', textContent: text } }],
})

type Data = Readonly<Record<string, unknown>>
interface Envelope {
  readonly meta: { readonly code: number; readonly message: string }
  // biome-ignore lint/suspicious/noExplicitAny: whatever the call answers with
  readonly data: any
}

/**
 * Writes data of every feature added since the last release, which no released database contains. After a release, replace its contents by that of
 * the next features.
 */
export async function fillNew(server: string): Promise<void> {
  let calls = 0
  const ask = async (path: string, token: string, body?: Data) => {
    calls += 1
    const answer = await fetch(server + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify({ clientToken: `release-${calls}`, ...body }) }),
    })
    const { meta, data } = (await answer.json()) as Envelope
    if (meta.code !== 200 || data?.failed?.length > 0)
      throw new Error(`${path}: ${JSON.stringify({ meta, data })}`)
    return data
  }
  const signIn = async (account: string): Promise<string> =>
    (await ask('/mini/login/validate', '', { account, password: PASSWORD, agree: true, deviceId: 'release' }))
      .token
  const admin = await signIn('yfadmin')
  await ask('/engine/web/module/save', admin, { description: POOLED })
  await fillPool(ask, admin)
  await fillFlow(ask, admin)
  await fillPages(ask, admin)
}

type Ask = (path: string, token: string, body?: Data) => Promise<Envelope['data']>

/** Records of an own module in its pool, shared and starred, and a role with rights on them. */
async function fillPool(ask: Ask, admin: string): Promise<void> {
  const { list: roles } = await ask('/engine/web/role/list', admin, {})
  const sales = roles.find(({ code }: { code: string }) => code === 'sales')
  const rights = ['view', 'add', 'edit', 'pool', 'claim', 'release'].map((one) => `m.site:${one}`)
  await ask('/engine/web/role/save', admin, { ...sales, permissions: [...sales.permissions, ...rights] })
  const sites: string[] = []
  for (let n = 1; n <= 6; n += 1) {
    const site = { title: `工地 ${n}`, phone: `1380000000${n}`, status: 'open', floor: n }
    sites.push((await ask('/mini/m/site/create', admin, site)).id)
  }
  const [shared, marked, ...others] = sites
  await ask('/mini/m/site/team/save', admin, { id: shared, members: [{ userId: 'u-xuli', level: 'write' }] })
  await ask('/mini/m/site/star', admin, { ids: [marked], on: true })
  await ask('/mini/m/site/release', admin, { ids: others, reason: 'other' })
  const [pool] = (await ask('/mini/pool/list?entity=m/site', admin)).list
  await ask('/mini/pool/setting', admin, { id: pool.id, settings: { holding_cap: 50, daily_claim_limit: 9 } })
  await ask('/mini/m/site/pool/claim', admin, { poolId: pool.id, ids: others.slice(0, 1) })
}

/** An approval flow with a step that depends on own fields. */
async function fillFlow(ask: Ask, admin: string): Promise<void> {
  const options = [
    { value: 'cash', label: '现结' },
    { value: 'credit', label: '账期' },
  ]
  for (const field of [
    { name: 'x_pay_by', kind: 'choice', label: '付款方式', options },
    { name: 'x_margin', kind: 'percent', label: '让利' },
  ])
    await ask('/engine/web/field/save', admin, { module: 'contract', field })
  const by = { values: ['ext.x_pay_by=credit'], from_field: 'ext.x_margin', from: 20 }
  const steps = [
    { kind: 'role', role: 'sales_director', mode: 'any' },
    { kind: 'role', role: 'finance', mode: 'any', ...by },
  ]
  await ask('/engine/web/flow/save', admin, { id: 'contract', enabled: true, steps, cc: [] })
}

/** Pages: one with two versions, a draft, a published change set (发布单); and a connection. */
async function fillPages(ask: Ask, admin: string): Promise<void> {
  const path = '/pages/my/about'
  await ask('/engine/web/page/publish', admin, { path, base: 0, document: page('第一版') })
  await ask('/engine/web/page/publish', admin, { path, base: 1, document: page('第二版') })
  await ask('/engine/web/page/draft/save', admin, { path, base: 2, document: page('还没发布') })
  const { id } = await ask('/engine/web/changeset/save', admin, { title: '上新' })
  const change = { path: '/pages/x/fair', document: page('展会'), base: 0 }
  await ask('/engine/web/changeset/put', admin, { id, kind: 'page', change })
  await ask('/engine/web/changeset/publish', admin, { id })
  await ask('/engine/web/connection/save', admin, {
    name: 'orders',
    label: '订单',
    base: 'https://orders.example.com',
    methods: ['GET'],
    paths: '/**',
    seconds: 5,
  })
}
