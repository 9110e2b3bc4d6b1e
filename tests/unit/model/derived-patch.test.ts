import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
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
    { name: 'fee', kind: 'money', label: '费用', patch: true },
    { name: 'note', kind: 'text', label: '备注', patch: true },
    { name: 'urgent', kind: 'flag', label: '紧急', patch: true },
  ],
}
const WORDS = new Proxy(
  {},
  { get: (_, name) => (name === 'patchEmptyAsk' ? '{{ data.picked | count }} 条' : String(name)) },
) as DerivedWords
const { referred } = await loadPages(new URL('../../../schemas', import.meta.url).pathname, checkPage)

/** Presses 确定 on the sheet for two records. @returns the questions, and whether the call was sent */
async function patched(field: string, value: Json | undefined, confirm: boolean) {
  const document = derivePage('index', asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
  const parsed = parsePage(checkedPage(document, 'index', referred, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const world = memoryWorld()
  const asked: (string | undefined)[] = []
  const feedback = {
    ...world.ports.feedback,
    modal: async ({ content }: { readonly content?: string }) => {
      asked.push(content)
      return { confirm }
    },
  }
  const engine = createEngine({
    page: parsed.page,
    registry,
    ports: { ...world.ports, feedback },
    user: { permissions: ['view', 'edit'].map((action) => `m.ticket:${action}`), fieldRights: {} },
  })
  engine.setData('picked', [
    { id: 't1', actions: ['edit'] },
    { id: 't2', actions: ['edit'] },
  ])
  const key = engine.find(`p_${field}`) ?? ''
  if (value !== undefined) engine.input(key, value)
  await engine.event(`patchDone_${field}`, 'click')
  return { asked, sent: world.requests.filter(({ body }) => isObject(body) && 'ids' in body).length }
}

it.each([
  ['note', undefined, true, { asked: ['2 条'], sent: 1 }],
  ['note', undefined, false, { asked: ['2 条'], sent: 0 }],
  ['note', '加急', false, { asked: [], sent: 1 }],
  ['fee', undefined, false, { asked: ['2 条'], sent: 0 }],
  ['fee', 0, false, { asked: [], sent: 1 }],
  ['urgent', true, false, { asked: [], sent: 1 }],
] as const)(
  'a field left empty empties it on all chosen records only after a question: %s %s',
  async (field, value, confirm, expected) => {
    expect(await patched(field, value, confirm)).toEqual(expected)
  },
)
