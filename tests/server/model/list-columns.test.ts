import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import { carriedColumns, type ListColumn, readColumns } from '../../../runtime/core/widgets/columns.ts'
import { cellChange, readEdit, refusalOf } from '../../../runtime/react/desk/cells/cell-edit.ts'
import { OWN_MODULE } from '../isolation/routes.ts'
import { makeSecrets } from '../isolation/secrets.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
  await makeSecrets(server)
  await releaseOneOfEach()
})
afterAll(() => server.close())

/** Pages that list the records of a module, with a tab in which everybody sees records. */
const PAGES: readonly (readonly [path: string, call: string, body: JsonObject])[] = [
  ['/pages/customer/my/index', '/mini/customer/list', {}],
  ['/pages/customer/contact/index', '/mini/contact/list', {}],
  ['/pages/customer/leads/index', '/mini/lead/list', {}],
  ['/pages/bussiness/index', '/mini/bussiness/list', {}],
  ['/pages/contract/index', '/mini/contract/list', {}],
  ['/pages/contract/plan/index', '/mini/plan/list', { tab: 'all' }],
  ['/pages/activity/index', '/mini/activity/list', {}],
  ['/pages/product/index', '/mini/product/list', {}],
  ['/pages/customer/pool/index', '/mini/pool/customer/list', {}],
  ['/pages/customer/leads-pool/index', '/mini/pool/lead/list', {}],
  [`/pages/m/${OWN_MODULE}/index`, `/mini/m/${OWN_MODULE}/list`, {}],
]

describe.each(PAGES)('the table of %s', (path, call, body) => {
  it('has columns that its rows contain, begins with the record’s name and can be sorted by every head', async () => {
    const page = JSON.parse((await admin.get(`/engine/web/page/detail?path=${path}`)).body) as Json
    const columns = readColumns(optionOf(page, 'columns'))
    const { list } = (await admin.post(call, { ...body, limit: 2 })).data as { list: readonly JsonObject[] }
    const shown = carriedColumns(columns, list)

    expect(list.length).toBeGreaterThan(0)
    expect(shown[0]?.primary).toBe(true)
    expect(shown.length).toBeGreaterThanOrEqual(4)
    expect(columns.map(({ label }) => label)).not.toContain('')
    expect(await refused(shown, call, body)).toEqual([])
    expect(ordersOf(page)).toEqual(expect.arrayContaining(shown.flatMap(ordersBy)))
  })
})

it('of an own module shows the status after the title, in the colours of the card', async () => {
  const [status, approval] = await Promise.all(
    ['sales_order', 'quotation'].map(async (name) => {
      const { body } = await admin.get(`/engine/web/page/detail?path=/pages/m/${name}/index`)
      return readColumns(optionOf(JSON.parse(body) as Json, 'columns'))[1]
    }),
  )

  expect(status).toMatchObject({
    name: 'status',
    choices: { optionItems: [{ color: 'primary' }, {}, {}, {}] },
  })
  expect(approval).toMatchObject({ name: 'approval_status', label: '审批' })
})

it('shows under 手机 the customer’s own number, as its detail does, and the contact’s beside it', async () => {
  const numbers = { mobile: '13900017771', telephone: '0755-86210001' }
  const contacts = [{ name: '钱一', mobile: '13900017772' }]
  const { id } = (await admin.post('/mini/customer/create', { name: '两个号码公司', ...numbers, contacts }))
    .data
  const { list } = (await admin.post('/mini/customer/list', { keyword: '两个号码公司' })).data
  const page = JSON.parse(
    (await admin.get('/engine/web/page/detail?path=/pages/customer/my/index')).body,
  ) as Json
  const shown = readColumns(optionOf(page, 'columns')).flatMap(({ label, text }) =>
    label.includes('手机') ? [[label, text]] : [],
  )

  expect(list).toMatchObject([{ id, ...numbers, contact_mobile: '13900017772' }])
  expect(shown).toEqual([
    ['手机', '{{ row.mobile }}'],
    ['联系人手机', '{{ row.contact_mobile }}'],
  ])
})

it('lets a cell change what a batch change can, and shows the record’s refusal', async () => {
  const page = JSON.parse(
    (await admin.get('/engine/web/page/detail?path=/pages/customer/my/index')).body,
  ) as Json
  const edits = readColumns(optionOf(page, 'columns')).flatMap((column) => readEdit(column) ?? [])
  const level = edits.find(({ field }) => field === 'level')
  const { list } = (await admin.post('/mini/customer/list', { limit: 1 })).data as {
    list: readonly JsonObject[]
  }
  const id = String(list[0]?.id)
  if (level === undefined) throw new Error('the level is not changed in its cell')

  const done = await admin.post('/mini/customer/patch', cellChange(level, id, 'D'))
  const refused = await admin.post('/mini/customer/patch', cellChange(level, id, 'no such level'))
  const { record } = (await admin.get(`/mini/customer/detail?id=${id}`)).data as { record: JsonObject }

  expect(edits.map(({ as }) => as)).toEqual(expect.arrayContaining(['choice', 'moment']))
  expect(sourcesOf(page)).toContain('cell')
  expect(refusalOf(done.data as Json)).toBe('')
  expect(refusalOf(refused.data as Json)).not.toBe('')
  expect(record.level).toBe('D')
})

/** A customer and a lead without an owner. */
async function releaseOneOfEach(): Promise<void> {
  const demo = await server.as('demo')
  await demo.post('/mini/customer/create', { name: '无主客户有限公司' })
  await demo.post('/mini/lead/create', { name: '无主线索', mobile: '13900006666', source: 'website' })
  await server.database.system(async (trx) => {
    for (const table of ['customer', 'lead'])
      await sql`update ${sql.table(table)} set owner_id = null, pool_entered_at = now(),
        pool_id = (select id from pool where tenant_id = 'xinghai' and entity = ${table} limit 1)
        where tenant_id = 'xinghai' and name like '无主%'`.execute(trx)
  })
}

/** Column heads whose sort the API does not know. */
async function refused(
  columns: readonly ListColumn[],
  call: string,
  body: JsonObject,
): Promise<readonly string[]> {
  const answers = await Promise.all(
    columns
      .filter(({ sort }) => sort !== '')
      .map(async ({ sort }) => {
        const asked = await admin.post(call, { ...body, limit: 2, sort: [{ field: sort, dir: 'asc' }] })
        return asked.meta.code === 200 ? [] : [sort]
      }),
  )
  return answers.flat()
}

const ordersBy = ({ sort }: ListColumn): readonly string[] =>
  sort === '' ? [] : [`${sort} asc`, `${sort} desc`]

/** Values of `form.sort` that the page's list accepts. */
function ordersOf(page: Json): readonly string[] {
  const sources = valueAt(page, 'formConfig.dataSources')
  const rows = (Array.isArray(sources) ? sources : []).find((one) => valueAt(one, 'uniqueName') === 'rows')
  const sort = valueAt(rows, 'body.sort')
  return (Array.isArray(sort) ? sort : []).flatMap((one) => {
    const asked = valueAt(one, '$if.==.1')
    return typeof asked === 'string' ? [asked] : []
  })
}

function sourcesOf(page: Json): readonly string[] {
  const sources = valueAt(page, 'formConfig.dataSources')
  return (Array.isArray(sources) ? sources : []).map((one) => String(valueAt(one, 'uniqueName')))
}

/** The first option of that name on a page. */
function optionOf(value: Json, name: string): Json | undefined {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one) => optionOf(one, name)).find((one) => one !== undefined)
  if (!isObject(value)) return undefined
  const own = valueAt(value, `options.${name}`)
  return own ?? optionOf(Object.values(value) as Json, name)
}
