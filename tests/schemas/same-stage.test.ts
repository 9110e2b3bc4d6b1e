import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

it('the stage of an opportunity is changed only to another one', async () => {
  const posted: JsonObject[] = []
  const world = memoryWorld({
    server: ({ method, body }) => {
      if (method === 'POST') posted.push(body as JsonObject)
      return { meta: { code: 200 }, data: { id: 'b1' } }
    },
  })
  const page = pageAt(await readProduct(), '/pages/bussiness/detail')
  const engine = createEngine({ page, registry, ports: world.ports, params: { id: 'b1' } })
  const stages = ['s1', 's2'].map((id) => ({ id, name: id }))
  engine.setData('detail', { record: { id: 'b1', stage_id: 's1' }, flow: { stages } })
  engine.setData('sheet', 'stage')
  const confirm = async (stage: string) => {
    engine.input(engine.find('toStage') ?? '', stage)
    await engine.event('stageDone', 'click')
  }

  await confirm('s1')
  expect(posted).toEqual([])
  expect(world.toasts).toMatchObject([{ text: '请选择新的阶段' }])

  await confirm('s2')
  expect(posted).toMatchObject([{ stageId: 's2' }])
})
