import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import { createModuleLibrary } from '../../../src/server/kernel/model/library.ts'
import { derivedPages, filledPage, resolvedPage } from '../../../src/server/kernel/model/tenant-pages.ts'
import { PAGE_CHANNEL } from '../../../src/server/kernel/pages/library.ts'
import { loadPages } from '../../../src/server/kernel/pages/load.ts'
import { right } from '../business5/deals.ts'
import { PEOPLE } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aModule } from './own-tenant.ts'

/**
 * Open clients are notified of exactly those pages that a change of modules affects; afterwards the pages equal those
 * that a server with an empty cache derives.
 */

const SCHEMAS = join(import.meta.dirname, '../../../schemas')
const server: TestApp = await openTestApp({}, PEOPLE)
let admin: Client
const told = new Set<string>()
let stopListening = async () => {}
beforeAll(async () => {
  admin = await server.as('admin')
  stopListening = await server.database.listen(
    PAGE_CHANNEL,
    (text) => told.add(String(valueAt(JSON.parse(text), 'event.path'))),
    () => undefined,
  )
})
afterAll(async () => {
  await stopListening()
  await server.close()
})

/** Every page as cached by a client. */
async function allPages(): Promise<ReadonlyMap<string, string>> {
  const { pages } = JSON.parse((await admin.get('/engine/web/page/bundle')).body) as { pages: JsonObject }
  return new Map(Object.entries(pages).map(([path, document]) => [path, JSON.stringify(document)]))
}

const modules = await createModuleLibrary({
  schemasDir: SCHEMAS,
  database: server.database,
  onError: (error) => {
    throw error
  },
})
afterAll(() => modules.close())
const { pages: files, referred } = await loadPages(SCHEMAS, () => [])

/** Every page as derived from the stored modules, without any cache. */
async function allMade(): Promise<ReadonlyMap<string, string>> {
  const scope = { tenantId: 'xinghai', userId: 'u-admin' }
  const model = { ...(await server.database.tenant(scope, (trx) => modules.within(trx, scope.tenantId))) }
  const own = derivedPages(model).map((page) => resolvedPage(page, model, referred))
  const pages = [...files.values()].flatMap((page) => ('document' in page ? [page] : []))
  return new Map(
    [...own, ...pages.map((page) => filledPage({ ...page }, model))].map(({ path, document }) => [
      path,
      JSON.stringify(document),
    ]),
  )
}

const CHANGES: readonly (readonly [what: string, call: string, body: JsonObject])[] = [
  ['a module of their own', 'module/save', { description: aModule() }],
  [
    'a field of it',
    'field/save',
    { module: 'ticket', field: { name: 'floor', kind: 'integer', label: '楼层' } },
  ],
  [
    'a reference to a customer, with a list there',
    'field/save',
    {
      module: 'ticket',
      field: {
        name: 'customer_id',
        kind: 'ref',
        module: 'customer',
        label: '客户',
        inverse: { tab: 'tickets', label: '工单' },
      },
    },
  ],
  [
    'a field of customers on cards and in filters',
    'field/save',
    {
      module: 'customer',
      field: { name: 'wechat', kind: 'text', label: '微信群', card: true, filter: true },
    },
  ],
  [
    'what the customers count of it',
    'field/save',
    {
      module: 'customer',
      field: {
        name: 'tickets',
        kind: 'rollup',
        label: '工单数',
        rollup: { module: 'ticket', by: 'customer_id', of: 'count' },
      },
    },
  ],
  [
    'another name of a field of the product',
    'field/save',
    { module: 'contact', field: { name: 'position', label: '头衔' } },
  ],
  [
    'a third one of the same field',
    'field/save',
    { module: 'contact', field: { name: 'position', label: '岗位' } },
  ],
  [
    'a value that may be there twice, knowingly',
    'field/save',
    { module: 'lead', field: { name: 'plate', kind: 'text', label: '车牌', unique: 'warn' } },
  ],
  [
    'nothing at all',
    'field/save',
    { module: 'ticket', field: { name: 'floor', kind: 'integer', label: '楼层' } },
  ],
  ['what they counted of it gone', 'field/delete', { module: 'customer', name: 'tickets' }],
  ['the module gone', 'module/delete', { name: 'ticket' }],
]

it.each(CHANGES)('%s', async (_, call, body) => {
  const before = await allPages()
  told.clear()
  right(await admin.post(`/engine/web/${call}`, body))
  const after = await allPages()
  const others = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )

  await expect.poll(() => [...told].sort()).toEqual(others.sort())
  const made = await allMade()
  expect([...after.keys()].filter((path) => after.get(path) !== made.get(path))).toEqual([])
})
