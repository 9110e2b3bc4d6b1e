import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { type ListColumn, readColumns } from '../../../runtime/core/widgets/columns.ts'
import { rightsInRules } from '../../../src/contract/field-rights.ts'
import { type DerivedPage, type DerivedWords, derivePage } from '../../../src/model/derive-pages.ts'
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
    { name: 'fee', kind: 'money', label: '费用', filter: true, sort: true, patch: true },
    { name: 'note', kind: 'text', label: '备注', filter: true, sort: true, patch: true },
    {
      name: 'state',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'open', label: '待处理' },
        { value: 'doing', label: '处理中' },
        { value: 'done', label: '已完成' },
      ],
    },
  ],
  statuses: { field: 'state', moves: { open: ['doing'], doing: ['done'] } },
}
const { referred } = await loadPages(new URL('../../../schemas', import.meta.url).pathname, checkPage)
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const ALL = ['view', 'add', 'edit', 'del', 'transfer'].map((action) => `m.ticket:${action}`)

/** A page of the module as opened by a person with these field rights. */
function open(
  page: DerivedPage,
  rights: Readonly<Record<string, string>>,
  params: Record<string, string> = {},
) {
  const document = derivePage(page, asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
  const parsed = parsePage(checkedPage(document, page, referred, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return createEngine({
    page: parsed.page,
    registry,
    ports: memoryWorld().ports,
    params,
    user: { permissions: ALL, fieldRights: rightsInRules({ 'm.ticket': rights }) as JsonObject },
  })
}
type Opened = ReturnType<typeof open>

it('a form omits fields that its user may not write', async () => {
  const sent = async (rights: Readonly<Record<string, string>>) => {
    const world = memoryWorld()
    const document = derivePage('add', asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
    const parsed = parsePage(checkedPage(document, 'add', referred, checkPage).document, { registry })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    const user = { permissions: ALL, fieldRights: rightsInRules({ 'm.ticket': rights }) as JsonObject }
    await createEngine({ page: parsed.page, registry, ports: world.ports, user }).request('create')
    return Object.keys((world.requests.at(-1)?.body ?? {}) as JsonObject)
  }
  expect(await sent({})).toEqual(['title', 'fee', 'note', 'state'])
  expect(await sent({ fee: 'read', state: 'hidden' })).toEqual(['title', 'note'])
})

const stateOf = (engine: Opened, name: string) => engine.node(engine.find(name) ?? name)
const offered = (engine: Opened, name: string) => stateOf(engine, name).items.map(({ value }) => value)
const hidden = (engine: Opened, ...names: readonly string[]) =>
  names.map((name) => stateOf(engine, name).hidden)

describe('a list of an own module', () => {
  const RIGHTS = { fee: 'read', note: 'masked', state: 'hidden' }

  it('does not filter, sort or group by fields that its user sees only in part or not at all', () => {
    const all = open('index', {})
    const some = open('index', RIGHTS)

    expect(offered(all, 'sort')).toEqual(['', 'fee desc', 'note asc'])
    expect(offered(some, 'sort')).toEqual(['', 'fee desc'])
    expect(offered(all, 'tab')).toEqual(['all', 'mine', 'team', 'status_open', 'status_doing', 'status_done'])
    expect(offered(some, 'tab')).toEqual(['all', 'mine', 'team'])
    expect(hidden(all, 'f_note', 'f_state')).toEqual([false, false])
    expect(hidden(some, 'f_note', 'f_state')).toEqual([true, true])
  })

  it('sorts by columns that its user sees completely, and edits cells that they may write', () => {
    const user = { fieldRights: rightsInRules({ 'm.ticket': RIGHTS }) as JsonObject }
    const scope = { form: {}, params: {}, dict: {}, data: {}, user }
    const columns = readColumns(stateOf(open('index', RIGHTS), 'rows').options.columns, (rule) =>
      isTruthy(applyRule(rule, scope)),
    )
    const facts = (of: readonly ListColumn[]) =>
      of
        .filter(({ name }) => ['fee', 'note'].includes(name))
        .map((one) => [one.name, one.sort, one.edit !== null])

    expect(facts(columns)).toEqual([
      ['fee', 'fee', false],
      ['note', '', false],
    ])
    expect(facts(readColumns(stateOf(open('index', {}), 'rows').options.columns))).toEqual([
      ['fee', 'fee', true],
      ['note', 'note', true],
    ])
  })

  it('offers no batch change of fields that its user may not write', () => {
    const all = open('index', {})
    expect(offered(all, 'patch_field')).toEqual(['fee', 'note'])
    expect(stateOf(all, 'patch_field').value).toBe('fee')

    const some = open('index', { fee: 'read' })
    expect(offered(some, 'patch_field')).toEqual(['note'])
    expect(stateOf(some, 'patch_field').value).toBe('note')
    expect(hidden(some, 'p_fee', 'p_note')).toEqual([true, false])

    expect(hidden(open('index', RIGHTS), 'batchPatch', 'batchDelete')).toEqual([true, false])
  })
})

describe('a form of an own module', () => {
  it('omits fields that its user does not see, and disables fields that they may only read', () => {
    const some = open('add', { fee: 'read', note: 'masked' }, { id: '1' })
    expect(hidden(some, 'title', 'fee', 'note')).toEqual([false, false, true])
    expect(['title', 'fee'].map((name) => stateOf(some, name).readonly)).toEqual([false, true])
    expect(hidden(open('add', { fee: 'read' }), 'fee')).toEqual([true])
  })

  it('offers the statuses that a record may change to, and all for a new record', () => {
    const fresh = open('add', {})
    expect(offered(fresh, 'state')).toEqual(['open', 'doing', 'done'])

    const changed = open('add', {}, { id: '1' })
    changed.setData('detail', { record: { id: '1', version: 1, state: 'open' } })
    expect(offered(changed, 'state')).toEqual(['open', 'doing'])
    changed.setData('detail', { record: { id: '1', version: 1, state: 'done' } })
    expect(offered(changed, 'state')).toEqual(['done'])
  })
})

it('shows moves to users who may write the status', () => {
  const moved = (rights: Readonly<Record<string, string>>) => {
    const engine = open('detail', rights, { id: '1' })
    engine.setData('detail', { record: { id: '1', version: 1, state: 'open' }, actions: ['edit'] })
    return hidden(engine, 'to_doing')
  }
  expect([moved({}), moved({ state: 'read' })]).toEqual([[false], [true]])
})
