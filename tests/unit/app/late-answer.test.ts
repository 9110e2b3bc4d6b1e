import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { tellLate } from '../../../src/app/pages/late-answer.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { collides, memoryWorld, type Server } from '../../support/memory-ports.ts'

const refused = (message: string, more: object = {}): Outcome<HttpResponse> => ({
  ok: false,
  error: { ...failure('REFUSED'), message, ...more },
})

it.each<[string, Server, string[]]>([
  [
    'a conflict',
    collides({ name: '星海集团', version: 2 }),
    ['login.kept late.lost 编辑客户 · 星海科技 conflict.title'],
  ],
  ['a refusal', () => refused('客户已存在。'), ['login.kept late.lost 编辑客户 · 星海科技 客户已存在']],
  [
    'a conflict without details',
    () => refused('已变更', { type: 'VERSION_CONFLICT' }),
    ['login.kept late.lost 编辑客户 · 星海科技 conflict.title'],
  ],
  ['a question, which is asked', () => refused('号码重复', { data: { confirm: 'DUPLICATE_PHONE' } }), []],
  [
    'the end of the session, which is told',
    () => ({ ok: false, error: { ...failure('SESSION_OVER'), shown: true } }),
    [],
  ],
  ['success', () => ({ meta: { code: 200 }, data: { id: 'c1' } }), []],
])('who left a form while it was sent hears which one was not stored: %s', async (_, server, told) => {
  expect((await late(server)).told).toEqual(told)
})

it('a form without drafts claims none, one that is only covered is not opened again, and another person hears nothing', async () => {
  const server: Server = () => refused('客户已存在')
  expect((await late(server, { draft: false })).told).toEqual(['late.lost 编辑客户 · 星海科技 客户已存在'])
  expect((await late(server, { draft: false })).acts).toEqual([undefined])
  expect((await late(server)).acts).toEqual(['late.open'])
  expect((await late(server, {}, { isClosed: false })).acts).toEqual([undefined])
  expect((await late(server, {}, { person: 'u2' })).told).toEqual([])
})

async function late(
  server: Server,
  settings: Record<string, Json> = {},
  { isClosed = true, person = 'u1' } = {},
) {
  const world = memoryWorld({ server })
  const text = (code: string, params: Readonly<Record<string, unknown>> = {}) =>
    [code, ...Object.values(params)].join(' ')
  const page = aPage(
    [
      aWidget('input', 'secret', { type: 'password' }),
      aWidget('input', 'name'),
      aWidget('button', 'save', {
        on: { click: [{ do: 'submit', dsName: 'save', base: 'data.detail.record' }] },
      }),
    ],
    {
      page: { title: '{{ data.title | default:编辑客户 }}', draft: true, ...settings },
      dataSources: [
        { uniqueName: 'detail', requestURL: '/detail', requestMethod: 'get', fill: 'record' },
        {
          uniqueName: 'save',
          requestURL: '/save',
          requestMethod: 'post',
          body: { name: '{{ form.name }}', version: '{{ data.detail.record.version }}' },
        },
      ],
    },
  )
  const engine = createEngine({ page, registry, ports: { ...world.ports, text } })
  engine.setData('detail', { record: { name: '星海', version: 1 } })
  engine.input('secret', 'geheim')
  engine.input('name', '星海科技')
  const clicked = engine.event('save', 'click')
  const sending = engine.sending() ?? Promise.resolve(null)
  await sending
  engine.dispose()
  await clicked
  world.toasts.length = 0
  const at = () => (isClosed ? 'closed' : 'covered')
  const entry = { path: '/form', query: {} }
  await tellLate({ engine, sending, at, entry, person, owner: () => 'u1' })
  await world.pass(50)
  return {
    told: world.toasts.map((toast) => toast.text),
    acts: world.toasts.map(({ act }) => act?.label),
  }
}
