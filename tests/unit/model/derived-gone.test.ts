import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { type DerivedWords, derivePage } from '../../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { checkPage } from '../../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../../src/server/kernel/pages/load.ts'
import { checkedPage } from '../../../src/server/kernel/pages/made-pages.ts'
import { registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const TICKET: ModuleDescription = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true },
    { name: 'fee', kind: 'money', label: '费用' },
    { name: 'due', kind: 'day', label: '截止' },
    { name: 'papers', kind: 'files', label: '附件' },
  ],
}
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const { referred } = await loadPages(new URL('../../../schemas', import.meta.url).pathname, checkPage)

it('what was typed into the form of an own module can be copied if somebody took the record away', async () => {
  const document = derivePage('add', asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
  const parsed = parsePage(checkedPage(document, 'add', referred, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const world = memoryWorld({
    server: ({ method }) =>
      method === 'POST'
        ? {
            meta: { code: 404, success: false, message: '记录不存在', error: { type: 'NOT_FOUND' } },
            data: null,
          }
        : { meta: { code: 200 }, data: { record: { version: 1 } } },
  })
  const sheets: [string | undefined, readonly string[]][] = []
  const actionSheet = async (labels: readonly string[], title?: string) => {
    sheets.push([title, labels])
    return labels.indexOf('复制填写的内容')
  }
  const engine = createEngine({
    page: parsed.page,
    registry,
    ports: { ...world.ports, feedback: { ...world.ports.feedback, actionSheet } },
    params: { id: 't1' },
    user: { permissions: ['m.ticket:edit'], fieldRights: {} },
  })
  await engine.pageEvent('load')
  for (const [name, value] of Object.entries({ title: '漏水', fee: 12.5, due: '2026-12-01' }))
    engine.input(name, value)

  await engine.event('save', 'click')

  expect(sheets).toEqual([['没有保存：记录不存在。填写的内容还在本页。', ['返回列表', '复制填写的内容']]])
  expect(world.acts).toEqual(['copy 标题：漏水\n费用：¥12.50\n截止：2026-12-01'])
})

it('the detail of an own module follows a decision, and what is refused because of one', async () => {
  const approval = { steps: [{ kind: 'superior' as const, mode: 'any' as const }] }
  const module = asMerged({ ...TICKET, behaviours: ['owned', 'approval'], approval }, 'tenant')
  const document = derivePage('detail', module, WORDS, { isOwn: () => true })
  const parsed = parsePage(checkedPage(document, 'detail', referred, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const ended = { code: 409, success: false, message: '审批已结束', error: { type: 'STATE_CONFLICT' } }
  const asked: string[] = []
  const world = memoryWorld({
    server: ({ url, method }) => {
      asked.push(url.split('?')[0] ?? '')
      const data = { record: { version: 1, approval_status: 1 }, approval_id: 'a1', actions: ['withdraw'] }
      return method === 'POST' ? { meta: ended, data: null } : { meta: { code: 200 }, data }
    },
  })
  const engine = createEngine({
    page: parsed.page,
    registry,
    ports: world.ports,
    params: { id: 't1' },
    user: { permissions: ['m.ticket:view'], fieldRights: {} },
  })
  await engine.pageEvent('load')
  const after = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    asked.length = 0
    world.answers.push(true)
    await act()
    world.answers.length = 0
    return asked
  }

  expect(await after(() => engine.pageEvent('live', { kind: 'message' }))).toContain('/mini/m/ticket/detail')
  for (const name of ['withdraw', 'urge'])
    expect(await after(() => engine.event(name, 'click'))).toContain('/mini/m/ticket/detail')
  expect(world.toasts.map(({ text }) => text)).toEqual(['审批已结束', '审批已结束'])
})
