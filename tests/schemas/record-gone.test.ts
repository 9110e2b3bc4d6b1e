import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld, type Server } from '../support/memory-ports.ts'
import { pageAt, readJson, readProduct } from './product-pages.ts'

const product = await readProduct()

/** The user's way on: the sheet that was shown, and what a tap on one of its entries does. */
async function saved(path: string, values: Readonly<Record<string, Json>>, tap: string, button = 'save') {
  const opened = pageAt(product, path)
  const server: Server = ({ method }) =>
    method === 'POST'
      ? {
          meta: { code: 404, success: false, message: '该客户已转给黄杰', error: { type: 'NOT_FOUND' } },
          data: null,
        }
      : { meta: { code: 200 }, data: { record: {} } }
  const world = memoryWorld({ server })
  const sheets: [string, readonly string[]][] = []
  const engine = createEngine({
    page: opened,
    registry,
    ports: {
      ...world.ports,
      feedback: {
        ...world.ports.feedback,
        actionSheet: async (labels, title) => {
          sheets.push([title ?? '', labels])
          return labels.indexOf(tap)
        },
      },
    },
    params: path.endsWith('follow/add') ? { targetId: 'c1', targetType: 'customer' } : { id: 'c1' },
  })
  await engine.pageEvent('load')
  for (const [name, value] of Object.entries(values)) engine.input(engine.find(name) ?? name, value)
  await engine.event(button, 'click')
  return { world, sheets, engine }
}

const FOLLOW = ['/pages/customer/my/follow/add', { method: 'call', content: '谈了报价' }] as const

it('a follow-up of a record that was taken away is not lost: the page stays, and its text can be copied', async () => {
  const { sheets, world, engine } = await saved(...FOLLOW, '复制填写的内容')

  expect(sheets).toEqual([
    ['没有保存：该客户已转给黄杰。填写的内容还在本页。', ['返回列表', '复制填写的内容']],
  ])
  expect(world.acts).toEqual(['copy 谈了报价'])
  expect(engine.values().content).toBe('谈了报价')
})

it('and there is a way on', async () => {
  const { world } = await saved(...FOLLOW, '返回列表')

  expect(world.acts).toEqual(['relaunch /pages/customer/my/index'])
})

const CONTRACT = {
  name: '年度合同',
  customer_id: 'k1',
  type: 'new',
  sign_date: '2026-11-02',
  start_date: '2026-11-02',
  end_date: '2027-11-01',
  amount: 5,
}
const PAYMENT = { contract_id: 'h1', amount: 5, paid_at: '2026-11-02', method: 'transfer' }

it.each([
  ['/pages/customer/my/add', 'save', { name: '星海科技' }],
  ['/pages/contract/add', 'save', CONTRACT],
  ['/pages/contract/add', 'saveSubmit', CONTRACT],
  ['/pages/contract/payment/add', 'save', PAYMENT],
  ['/pages/contract/payment/add', 'saveSubmit', PAYMENT],
] as const)('nor is what was changed on a record: %s, %s', async (path, button, values) => {
  const { sheets } = await saved(path, values, '', button)

  expect(sheets).toEqual([
    ['没有保存：该客户已转给黄杰。填写的内容还在本页。', ['返回列表', '复制填写的内容']],
  ])
})

it('a page that was published before keeps its bar of saving: new parameters of it may be left out', async () => {
  const bar = parametersOf(await readJson('schemas/fragments/form/save-bar.json'))
  const released = ['saved', 'queue', 'queueChanged', 'queueText']

  expect(Object.keys(bar).filter((name) => bar[name] === null)).toEqual(released)
})

const parametersOf = (fragment: Json): JsonObject =>
  isObject(fragment) && isObject(fragment.with) ? fragment.with : {}
