import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../runtime/core/logic/rule.ts'
import { rightsInRules } from '../../src/contract/field-rights.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { fieldTree, refuseUnheld } from '../../src/server/flows/admin/role-fields.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { objectsIn, pageAt, readJson, readProduct } from './product-pages.ts'

const PRODUCT = await readProduct()
const PAPER = pageAt(PRODUCT, '/pages/contract/print')

/** The row 整单折扣 of the printed contract; undefined if it has none. */
function discountOf(discount_rate: Json): string | undefined {
  const record: JsonObject = {
    id: 'k1',
    name: '年度服务合同',
    amount: 3344.11,
    amount_capitals: '叁仟叁佰肆拾肆元壹角壹分',
    approval_status: 2,
    received_amount: 1000,
    discount_rate,
    lines: [{ product_id: 'p1', product_name: '标准版', price: 299, quantity: 10, amount: 2990 }],
  }
  const { ports } = memoryWorld()
  const engine = createEngine({ page: PAPER, registry, ports, params: { id: 'k1' }, user: {} })
  engine.setData('detail', { record })
  const { items = [] } = engine.node(engine.find('money') ?? '').options as { items?: readonly JsonObject[] }
  const row = items.find(({ label }) => label === '整单折扣')
  const isShown = isTruthy(
    applyRule(row?.visibleOn ?? null, {
      data: { detail: { record } },
      form: {},
      params: {},
      user: {},
      dict: {},
    }),
  )
  return isShown ? engine.fill(String(row?.text)) : undefined
}

it('a printed contract says what was taken off its lines as a whole, if anything was', () => {
  expect(discountOf(95)).toBe('95%')
  expect(discountOf(100)).toBeUndefined()
  expect(discountOf(null)).toBeUndefined()
})

it('prices and sums of printed products are not broken, and a product may be there twice', () => {
  const nodes = [...PAPER.nodes.values()]
  const unbroken = nodes.filter(({ options }) =>
    /^paper-(?:price|count|sum)$/.test(String(options.customClass)),
  )
  expect(unbroken.map(({ options }) => options.name)).toEqual(['h2', 'h3', 'h4', 'c2', 'c3', 'c4'])
  expect(nodes.find(({ options }) => options.name === 'sold')?.options.rowKey).toBe('id')
})

/** What a paper says of fields that its reader does not see. */
function withheldOf(path: string, rights: Parameters<typeof rightsInRules>[0]): string | undefined {
  const { ports } = memoryWorld()
  const user = { fieldRights: rightsInRules(rights) as unknown as JsonObject }
  const page = pageAt(PRODUCT, path)
  const engine = createEngine({ page, registry, ports, params: { id: 'k1' }, user })
  engine.setData('detail', { record: { id: 'k1' }, mask: [] })
  engine.setData('plans', { list: [{ id: 'p1', plan_amount: null }] })
  const node = engine.node(engine.find('withheld') ?? '')
  return node.hidden ? undefined : String(node.options.textContent)
}

/** Fields of a module that stand on a paper and that a role may hide. */
async function hideable(path: string, name: string): Promise<readonly string[]> {
  const described = (await readJson(`schemas/modules/${name}.json`)) as JsonObject & ModuleDescription
  const module = asMerged(described, 'vendor')
  const model = { modules: new Map([[name, module]]), versions: new Map(), mirrored: new Map() }
  const printed = JSON.stringify(
    [...pageAt(PRODUCT, path).nodes.values()]
      .filter((node) => node.name !== 'withheld')
      .map(({ options }) => options),
  )
  const [offered] = fieldTree({ model })
  const rightsOf = new Set([...objectsIn(offered)].map(({ value }) => value))
  const mayHide = (field: string): boolean => {
    if (!rightsOf.has(field)) return false
    try {
      refuseUnheld(name, { [field]: 'hidden' }, {}, { model })
      return true
    } catch {
      return false
    }
  }
  const isPrinted = (field: string): boolean =>
    new RegExp(`\\b(?:${field}|${field.replace(/_id$/, '_name')})\\b`).test(printed)
  return module.fields.map((field) => field.name).filter((field) => isPrinted(field) && mayHide(field))
}

it.each([
  ['/pages/contract/print', 'contract', await hideable('/pages/contract/print', 'contract')],
  ['/pages/contract/print', 'plan', ['plan_amount']],
  ['/pages/contract/payment/print', 'payment', await hideable('/pages/contract/payment/print', 'payment')],
] as const)(
  'the paper %s says that its reader does not see all of %s, and only then',
  (path, entity, fields) => {
    expect(fields.length).toBeGreaterThan(entity === 'plan' ? 0 : 3)
    for (const field of fields)
      for (const right of ['hidden', 'masked'])
        expect([field, right, withheldOf(path, { [entity]: { [field]: right } } as never)]).toEqual([
          field,
          right,
          '部分内容因权限未显示',
        ])
    for (const rights of [{}, { [entity]: { [fields[0] ?? '']: 'read' } }, { customer: { level: 'hidden' } }])
      expect(withheldOf(path, rights as never)).toBeUndefined()
  },
)

it('the paper of a contract says what is not in force, and nothing that is not the customer’s', () => {
  const { ports } = memoryWorld()
  const said = (approval_status: number) => {
    const engine = createEngine({ page: PAPER, registry, ports, params: { id: 'k1' }, user: {} })
    engine.setData('detail', { record: { id: 'k1', approval_status, received_amount: 1000 } })
    return ['notInForce', 'voided'].filter((name) => engine.node(engine.find(name) ?? '').hidden === false)
  }
  expect([0, 1, 2, 3, 4, 5].map(said)).toEqual([
    ['notInForce'],
    ['notInForce'],
    [],
    ['notInForce'],
    ['notInForce'],
    ['voided'],
  ])
  const items = [...PAPER.nodes.values()].map(({ options }) => JSON.stringify(options.items ?? []))
  expect(items.join()).not.toMatch(/approval_status|received_amount/)
})
