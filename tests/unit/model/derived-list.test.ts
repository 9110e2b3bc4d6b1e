import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { isObject } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { type DerivedWords, derivePage } from '../../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { checkPage } from '../../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../../src/server/kernel/pages/load.ts'
import { checkedPage } from '../../../src/server/kernel/pages/made-pages.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const { referred } = await loadPages(new URL('../../../schemas', import.meta.url).pathname, checkPage)

const listOf = (...more: ModuleDescription['behaviours']) => {
  const ticket: ModuleDescription = {
    name: 'ticket',
    label: '工单',
    title: 'title',
    behaviours: ['owned', ...more],
    fields: [{ name: 'title', kind: 'text', label: '标题', required: true }],
  }
  return derivePage('index', asMerged(ticket, 'tenant'), WORDS, { isOwn: () => true })
}

/** What is under the empty list for a person with these rights. */
function underNothing(permissions: readonly string[]) {
  const parsed = parsePage(checkedPage(listOf(), 'index', referred, checkPage).document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const engine = createEngine({
    page: parsed.page,
    registry,
    ports: memoryWorld().ports,
    user: { permissions },
  })
  return engine.node(engine.find('rows') ?? 'rows').options.emptyAction
}

it('the buttons above the list of a module with a pool fit on one line of a phone: they have no pictures', () => {
  const pictures = (page: ReturnType<typeof listOf>) =>
    [...objectsIn(page)]
      .filter(({ options }) => isObject(options) && options.name === 'tools')
      .flatMap((line) => [...objectsIn(line)])
      .map(({ icon }) => icon)
      .filter(Boolean)

  expect(pictures(listOf()).length).toBeGreaterThan(2)
  expect(pictures(listOf('pool'))).toEqual([])
})

it('an empty list offers the form for a new record to those who may add one', () => {
  expect(underNothing(['m.ticket:view', 'm.ticket:add'])).toBe('new工单')
  expect(underNothing(['m.ticket:view'])).toBe('')
  expect(JSON.stringify(listOf())).toContain('"emptyClick":[{"do":"navigate","url":"/pages/m/ticket/add"}]')
})
