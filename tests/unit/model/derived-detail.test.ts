import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { failure } from '../../../runtime/core/errors.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { type DerivedWords, derivePage } from '../../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const TICKET: ModuleDescription = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true },
    {
      name: 'state',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'open', label: '待处理' },
        { value: 'done', label: '已完成' },
      ],
    },
  ],
  statuses: { field: 'state', moves: { open: ['done'] } },
}
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords

it('a record that another user moved is loaded again, with the reason why the move failed', async () => {
  const document = derivePage('detail', asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new Error('the detail cannot be opened')
  const message = '记录已被他人修改，请核对后再保存'
  const world = memoryWorld({
    server: () => ({ ok: false, error: { ...failure('CONFLICT'), message, status: 409 } }),
  })
  const engine = createEngine({ page: parsed.page, registry, ports: world.ports, params: { id: '1' } })
  engine.setData('detail', { record: { id: '1', version: 1, state: 'open' }, actions: ['edit'] })
  let refreshed = 0
  engine.onRefresh(async () => {
    refreshed += 1
  })

  await engine.event('to_done', 'click')

  expect(world.toasts.map(({ text }) => text)).toEqual([message])
  expect(refreshed).toBe(1)
})
