import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { type DerivedWords, derivePage } from '../../src/model/derive-pages.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { objectsIn, pageAt, readProduct } from './product-pages.ts'

const product = await readProduct()

interface Picker {
  readonly data?: Readonly<Record<string, Json>>
  readonly values?: JsonObject
}

/** What a picker of a page asks for. */
async function asked(path: string, source: string, { data = {}, values = {} }: Picker): Promise<string> {
  const opened = pageAt(product, path)
  const world = memoryWorld()
  const engine = createEngine({
    page: opened,
    registry,
    ports: world.ports,
    params: { id: 'r1' },
  })
  for (const [name, value] of Object.entries(data)) engine.setData(name, value)
  engine.setValues(values)
  await engine.request(source)
  return world.requests.at(-1)?.url ?? ''
}

it.each([
  ['the customer that others are merged into', '/pages/customer/my/detail', 'mergeChoices', {}, 'r1'],
  ['the person who leaves', '/pages/admin/user/handover', 'heirs', { data: { fromId: 'u1' } }, 'u1'],
  ['who has the to-do', '/pages/work/todo/index', 'takers', { data: { handOf: 'u1' } }, 'u1'],
  [
    'whose approval it is',
    '/pages/work/approval/reassign',
    'approvers',
    { values: { fromUser: 'u1' } },
    'u1',
  ],
] as const)('a picker does not offer %s', async (_, path, source, picker, left) => {
  expect(new URL(await asked(path, source, picker), 'http://x').searchParams.get('without')).toBe(left)
})

it('a record of an own module is not transferred to its owner, and says so if it was not', () => {
  const words = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
  const ticket = asMerged(
    {
      name: 'ticket',
      label: '工单',
      title: 'title',
      behaviours: ['owned'],
      fields: [{ name: 'title', kind: 'text', label: '标题', required: true }],
    },
    'tenant',
  )
  const others = new Map([['ticket', ticket]])
  const detail = derivePage('detail', ticket, words, { isOwn: () => true, isMade: false, others })
  const all = [...objectsIn(detail)]

  expect(all.find(({ uniqueName }) => uniqueName === 'colleagues')?.params).toContainEqual(
    expect.objectContaining({ name: 'without', value: 'data.detail.record.owner_id' }),
  )
  expect(all.find((one) => one.do === 'request' && one.dsName === 'transfer')?.then).toMatchObject([
    { do: 'when', if: { '!!': { var: 'result.failed.0' } } },
  ])
})

it.each([
  ['to merge', 'mergeChoices'],
  ['above this one', 'relationChoices'],
])(
  'the list of customers %s asks for the page behind the last one when it is scrolled to its end',
  async (_, source) => {
    const parsed = parsePage(
      product.pages.find((page) => page.path === '/pages/customer/my/detail')?.document ?? {},
      { registry },
    )
    if (!parsed.ok) throw new Error('the page of a customer cannot be opened')
    const world = memoryWorld()
    const engine = createEngine({ page: parsed.page, registry, ports: world.ports, params: { id: 'r1' } })
    const paging = parsed.page.dataSources.get(source)?.paging

    await engine.request(source, { cursor: 'c20' })

    expect(paging).toEqual({ items: 'list', cursor: 'cursor', next: 'nextCursor' })
    expect(new URL(world.requests.at(-1)?.url ?? '', 'http://x').searchParams.get('cursor')).toBe('c20')
  },
)
