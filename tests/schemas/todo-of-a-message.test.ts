import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { objectsIn, readProduct } from './product-pages.ts'

const { pages } = await readProduct()

/** The page of to-dos, opened by the message about one. */
async function open(answer: JsonObject) {
  const parsed = parsePage(pages.find(({ path }) => path === '/pages/work/todo/index')?.document ?? {}, {
    registry,
  })
  if (!parsed.ok) throw new Error('the page cannot be opened')
  const world = memoryWorld({ server: () => answer })
  const engine = createEngine({ page: parsed.page, registry, ports: world.ports, params: { id: 't1' } })
  await engine.pageEvent('load')
  const asked = async () => {
    await engine.request('rows')
    return world.requests.at(-1)?.body
  }
  return { engine, asked }
}

it('a message about a to-do shows that to-do, whatever its state, and leads on to all of them', async () => {
  const { engine, asked } = await open({ meta: { code: 200 }, data: { record: { id: 't1' } } })

  expect(await asked()).toMatchObject({
    tab: 'record',
    filters: [{ field: 'id', op: 'eq', value: 't1' }],
  })
  expect(engine.node('section').hidden).toBe(true)

  await engine.event('showAll', 'click')
  expect(await asked()).toMatchObject({ filters: [] })
  expect(engine.node('section').hidden).toBe(false)
})

it('a to-do that its reader no longer has says why, and leads on', async () => {
  const message = '这条待办已删除'
  const { engine, asked } = await open({
    meta: { code: 404, success: false, message, error: { type: 'NOT_FOUND' } },
    data: null,
  })

  expect(engine.node('rows').options).toMatchObject({ empty: message, emptyAction: '查看全部待办' })

  await engine.event('rows', 'emptyClick')
  expect(await asked()).toMatchObject({ filters: [] })
  expect(engine.node('rows').options).toMatchObject({ empty: '这里没有待办', emptyAction: '新建待办' })
})

it('the list of messages shows what a message is about beyond its first line: names of companies are long', () => {
  const list = pages.find(({ path }) => path === '/pages/my/message/index')?.document ?? {}
  const title = [...objectsIn(list)].find(({ textContent }) => textContent === '{{ row.title }}')

  expect(title?.maxLines).toBe(2)
})
