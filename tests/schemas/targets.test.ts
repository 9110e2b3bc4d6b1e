import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Draft } from '../../runtime/core/engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { keepsDraft } from '../../src/app/pages/drafts.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld, type Server } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

const product = await readProduct()

const MONTHS = ['2026-11', '2026-12'].map((month) => ({ month, contract_amount: 0, payment_amount: 0 }))
const TARGET = { objectName: '刘芳', canSave: true, found: true, months: MONTHS }

/** An opened page of the targets of a year, and what a server that gives these answers was asked. */
async function opened(path: string, server: Server, draft?: Draft) {
  const opened = pageAt(product, path)
  const world = memoryWorld({ server })
  const engine = createEngine({
    page: opened,
    registry,
    ports: world.ports,
    params: { objectType: 'user', objectId: 'u-liufang', year: '2026' },
    user: { permissions: ['stats:team'] },
    ...(draft ? { draft } : {}),
  })
  await engine.pageEvent('load')
  await engine.refresh()
  return { engine, world, page: opened }
}

const EDIT = '/pages/stats/target-edit'

it('a target that may not be opened says so instead of a form without months', async () => {
  const { page } = await opened(EDIT, () => null)

  expect(page.dataSources.get('target')).toMatchObject({ auto: true, needed: true })
})

it('the page says that targets are set, and whose', async () => {
  const { engine } = await opened(EDIT, () => ({ meta: { code: 200 }, data: TARGET }))

  expect(engine.fill(engine.page.settings.title ?? '')).toBe('设置目标 · 刘芳')
})

it('only a line that opens leads to its target', async () => {
  const { engine, world } = await opened('/pages/stats/target', () => ({ meta: { code: 200 }, data: {} }))
  const tap = (row: JsonObject) => engine.event(engine.find('lines') ?? '', 'rowClick', { row })

  await tap({ type: 'user', id: 'u-liufang', may_open: true })
  await tap({ type: 'dept', id: 'xh-sales', may_open: false })

  expect(world.acts).toEqual([expect.stringContaining('objectId=u-liufang')])
  expect(world.toasts.map(({ text }) => text)).toEqual(['这个部门还有您管理范围以外的人，目标由上级设置'])
})

it('the months are filled in, and those of last year on request', async () => {
  const server: Server = ({ url }) => ({
    meta: { code: 200 },
    data: url.includes('last_year')
      ? { ...TARGET, months: MONTHS.map((month) => ({ ...month, contract_amount: 7 })) }
      : TARGET,
  })
  const { engine, world } = await opened(EDIT, server)
  expect(engine.values().months).toEqual(MONTHS)
  world.answers.push(true)

  await engine.event(engine.find('copy') ?? '', 'click')

  expect(engine.values().months).toMatchObject([{ contract_amount: 7 }, { contract_amount: 7 }])
})

it('what was typed is kept until it is saved, and so is last year that was copied', async () => {
  const server: Server = ({ method }) => ({
    meta: { code: 200 },
    data: method === 'POST' ? {} : TARGET,
  })
  const { engine, page } = await opened(EDIT, server)
  engine.change(engine.find('months.1.contract_amount') ?? '', 150_000)
  expect(keepsDraft(page)).toBe(true)

  const again = await opened(EDIT, server, engine.draft())
  expect(again.engine.values().months).toMatchObject([{ contract_amount: 0 }, { contract_amount: 150_000 }])

  await again.engine.event(again.engine.find('saveIt') ?? '', 'click')
  expect(again.engine.dirty()).toBe(false)

  again.world.answers.push(true)
  await again.engine.event(again.engine.find('copy') ?? '', 'click')
  expect(again.engine.dirty()).toBe(true)
})
