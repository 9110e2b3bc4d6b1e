import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { derivePage } from '../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { derivedWords } from '../../src/server/kernel/model/tenant-pages.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'
import { checkedPage } from '../../src/server/kernel/pages/made-pages.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readJson, readProduct } from './product-pages.ts'

const product = await readProduct()
const { referred } = await loadPages(new URL('../../schemas', import.meta.url).pathname, checkPage)
const dict = {
  approval_status: ['草稿', '审批中', '已通过', '已驳回'].map((label, value) => ({ label, value })),
}

/** The form of a record that has been read. */
function opened(page: Page, data: Json) {
  const world = memoryWorld({ server: () => ({ meta: { code: 200 }, data }) })
  const engine = createEngine({ page, registry, ports: world.ports, params: { id: 'k1' }, dict })
  engine.setData('detail', data)
  return engine
}

/** Whether the product lines of the form, and the price in them, can be changed. */
function linesOpen(page: Page, data: Json): readonly boolean[] {
  const engine = opened(page, data)
  const lines = [...page.nodes.values()].find(({ name }) => name === 'lines')?.key ?? ''
  engine.addRow(lines)
  const [row] = engine.node(lines).rows ?? []
  const price = row?.children.find((key) => engine.node(key).node.name === 'price') ?? ''
  return [lines, price].map((key) => {
    const { readonly, disabled } = engine.node(key)
    return !readonly && !disabled
  })
}

/** Whether a widget is drawn: neither it nor anything around it is hidden, or in a sheet. */
function isShown(engine: Engine, key: string): boolean {
  const parent = engine.page.nodes.get(key)?.parent ?? null
  const isClosed = engine.page.nodes.get(key)?.type === 'sheet'
  return !isClosed && !engine.hidden(key) && (parent === null || isShown(engine, parent))
}

/** The fields of the form that can be changed; those in rows are as their rows are. */
function openFields(page: Page, data: Json): readonly string[] {
  const engine = opened(page, data)
  return [...page.nodes.values()]
    .filter(({ field, subForm, key }) => field && subForm === null && isShown(engine, key))
    .filter(({ key }) => !engine.node(key).readonly && !engine.node(key).disabled)
    .map(({ name }) => name)
}

/** Whether the form offers to save. */
function offersSaving(page: Page, data: Json): boolean {
  const engine = opened(page, data)
  return [...page.nodes.values()].some(
    ({ key, name, type }) => type === 'button' && name.startsWith('save') && isShown(engine, key),
  )
}

/** What the form says at its top of a record that cannot be changed now; nothing if it can. */
function saidLocked(page: Page, data: Json): readonly string[] {
  const engine = opened(page, data)
  return [...page.nodes.values()]
    .filter(({ key, name }) => name.startsWith('locked') && !engine.hidden(key))
    .map(({ options }) => engine.fill(String(options.title)))
}

it.each(['/pages/contract/add', '/pages/contract/payment/add'])(
  '%s says before anything is filled in that its record cannot be changed now',
  (path) => {
    const record = { id: 'k1', approval_status: 1 }
    const form = pageAt(product, path)

    expect(saidLocked(form, { record, actions: ['withdraw'] })).toEqual(['审批中，现在不能修改'])
    expect(saidLocked(form, { record, actions: ['edit', 'submit'] })).toEqual([])
    expect(saidLocked(form, null)).toEqual([])
  },
)

it.each(['/pages/contract/add', '/pages/contract/payment/add'])(
  'no field of %s can be changed while its record is locked, and nothing is saved',
  (path) => {
    const form = pageAt(product, path)

    for (const locked of [detail(1, 'withdraw'), detail(2, 'revise'), detail(0, 'star')]) {
      expect(openFields(form, locked)).toEqual([])
      expect(offersSaving(form, locked)).toBe(false)
    }
    for (const free of [detail(0, 'edit', 'submit'), null]) {
      expect(openFields(form, free)).toEqual(expect.arrayContaining(['amount', 'remark']))
      expect(offersSaving(form, free)).toBe(true)
    }
  },
)

it('a payment that is locked is not spread over its plans again', () => {
  const form = pageAt(product, '/pages/contract/payment/add')
  const offersSpreading = (data: Json) => {
    const engine = opened(form, data)
    engine.setValues({ contract_id: 'k2' })
    engine.setData('proposal', { shares: [{ plan_id: 'p1' }] })
    engine.addRow('shares')
    return isShown(engine, 'respread')
  }

  expect(offersSpreading(detail(0, 'edit'))).toBe(true)
  expect(offersSpreading(detail(1, 'withdraw'))).toBe(false)
})

it('product lines of a contract are as locked as its form says', () => {
  const form = pageAt(product, '/pages/contract/add')

  expect(linesOpen(form, detail(1, 'withdraw'))).toEqual([false, false])
  expect(linesOpen(form, detail(2, 'revise'))).toEqual([false, false])
  expect(linesOpen(form, detail(0, 'edit', 'submit'))).toEqual([true, true])
  expect(linesOpen(form, null)).toEqual([true, true])
})

it('product lines of a quotation are as locked as its other fields', async () => {
  const form = formOf(await shipped('quotation'))

  expect(linesOpen(form, detail(1, 'withdraw'))).toEqual([false, false])
  expect(linesOpen(form, detail(2, 'version', 'move', 'convert'))).toEqual([false, false])
  expect(linesOpen(form, detail(3, 'edit', 'submit'))).toEqual([true, true])
  expect(linesOpen(form, null)).toEqual([true, true])
})

/** The form of an own module, as the server derives it. */
function formOf(module: ModuleDescription): Page {
  const merged = asMerged(module, 'tenant')
  const document = derivePage('add', merged, derivedWords(), { isOwn: (name) => name === module.name })
  const known = {
    ...referred,
    module: (name: string) => (name === module.name ? module : referred.module(name)),
  }
  const parsed = parsePage(checkedPage(document, 'add', known, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.page
}

const shipped = async (name: string): Promise<ModuleDescription> => {
  const module = await readJson(`schemas/modules/${name}.json`)
  if (!isObject(module)) throw new Error(`${name} is no module`)
  return module as JsonObject & ModuleDescription
}

const detail = (approval_status: number, ...actions: readonly string[]): JsonObject => ({
  record: { id: 'k1', approval_status },
  actions,
})

it('the form of an own module with an approval says that its record cannot be changed now', async () => {
  const form = formOf(await shipped('quotation'))

  expect(saidLocked(form, detail(1, 'withdraw'))).toEqual(['审批中，现在不能修改'])
  // That it may move on changes nothing where nothing moves.
  expect(saidLocked(form, detail(2, 'version', 'move', 'convert'))).toEqual(['已通过，现在不能修改'])
  expect(saidLocked(form, detail(3, 'edit', 'submit'))).toEqual([])
  expect(saidLocked(form, null)).toEqual([])
})

it('a form of which some fields stay open names them', async () => {
  const form = formOf(await shipped('expense'))

  expect(saidLocked(form, detail(1, 'withdraw'))).toEqual(['审批中，除打款日期外现在不能修改'])
  expect(saidLocked(form, detail(2, 'move'))).toEqual(['已通过，除状态、打款日期外现在不能修改'])
  expect(saidLocked(form, detail(2))).toEqual(['已通过，现在不能修改'])
  expect(saidLocked(form, detail(0, 'edit', 'submit'))).toEqual([])
})

it('a form of which only the status stays open names it once the record is agreed to', async () => {
  const { open: _, ...approval } = { ...(await shipped('expense')).approval, steps: [] }
  const form = formOf({ ...(await shipped('expense')), approval })

  expect(saidLocked(form, detail(1, 'withdraw'))).toEqual(['审批中，现在不能修改'])
  expect(saidLocked(form, detail(2, 'move'))).toEqual(['已通过，除状态外现在不能修改'])
})

it('only the fields that stay open can be changed while a record is locked', async () => {
  const form = formOf(await shipped('expense'))

  expect(openFields(form, detail(1, 'withdraw'))).toEqual(['paid_on'])
  expect(openFields(form, detail(2, 'move'))).toEqual(['status', 'paid_on'])
  expect(openFields(form, detail(0, 'edit'))).toEqual(expect.arrayContaining(['title', 'receipts', 'status']))
  expect(
    [detail(1, 'withdraw'), detail(2, 'move'), detail(0, 'edit'), null].map((one) => offersSaving(form, one)),
  ).toEqual([true, true, true, true])
  // Agreed to, but somebody else's.
  expect(openFields(form, detail(2))).toEqual([])
  expect(offersSaving(form, detail(2))).toBe(false)
})

it.each(['quotation', 'sales_order'])('no field of a %s that is locked can be changed', async (name) => {
  const form = formOf(await shipped(name))

  for (const locked of [detail(1, 'withdraw'), detail(2, 'version', 'move', 'convert'), detail(0, 'star')]) {
    expect(openFields(form, locked)).toEqual([])
    expect(offersSaving(form, locked)).toBe(false)
  }
  expect(openFields(form, detail(0, 'edit'))).toEqual(expect.arrayContaining(['title', 'customer_id']))
  expect(offersSaving(form, detail(0, 'edit'))).toBe(true)
})

it('places and regions are as locked as other fields', async () => {
  const ticket = await shipped('expense')
  const more = [
    { name: 'place', kind: 'location', label: '地点' },
    { name: 'area', kind: 'region', label: '地区' },
  ] as const
  const form = formOf({ ...ticket, fields: [...ticket.fields, ...more], groups: [] })

  expect(openFields(form, detail(1, 'withdraw'))).toEqual(['paid_on'])
})

it('the form of a module without approvals says it of records that others have', async () => {
  const form = formOf(await shipped('sales_order'))
  const record = { id: 'k1' }

  expect(saidLocked(form, { record, actions: ['star'] })).toEqual(['现在不能修改'])
  expect(saidLocked(form, { record, actions: ['edit', 'delete'] })).toEqual([])
})
