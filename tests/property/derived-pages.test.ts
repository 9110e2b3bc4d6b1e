import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type JsonObject, ownValue } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { checkModule } from '../../src/model/check-module.ts'
import {
  DERIVED_PAGES,
  type DerivedPage,
  type DerivedWords,
  derivePage,
  hasPage,
} from '../../src/model/derive-pages.ts'
import { isMadeOfOthers } from '../../src/model/derived/convert.ts'
import type { Field, KindName, ModuleDescription } from '../../src/model/description.ts'
import { KIND_NAMES, kindOf } from '../../src/model/kinds/index.ts'
import { labelText } from '../../src/model/labels.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'
import { checkedPage } from '../../src/server/kernel/pages/made-pages.ts'

/** The required attributes of a kind. */
const NEEDED: Readonly<Partial<Record<KindName, Partial<Field>>>> = {
  choice: { options: [{ value: 'a', label: '甲' }] },
  choices: { dict: 'customer_tag' },
  ref: { module: 'customer' },
  refs: { module: 'ticket' },
  'auto-number': { number: 'A{000}' },
  formula: { formula: { cat: [{ var: 'form.state' }, { var: 'title' }] } },
  rollup: { rollup: { module: 'plan', by: 'contract_id', of: 'count' } },
  lines: { fields: [{ name: 'n', kind: 'integer', label: 'N' }] },
}
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords

const aField = (
  kind: KindName,
  i: number,
  flags: { readonly filter: boolean; readonly sort: boolean; readonly patch: boolean },
): Field => ({
  name: `f${i}`,
  kind,
  label: i % 2 === 0 ? `字段${i}` : { 'zh-Hans': `字段${i}`, en: `Field ${i}` },
  ...NEEDED[kind],
  ...(flags.filter && kindOf(kind).index !== null ? { filter: true } : {}),
  ...(flags.sort && kindOf(kind).sorts ? { sort: true } : {}),
  ...(flags.patch ? { patch: true } : {}),
  ...(i % 5 === 0 && !kindOf(kind).derived ? { default: { rule: { var: 'title' } } } : {}),
  ...(i % 3 === 0 && !kindOf(kind).derived ? { required: { '==': [{ var: 'title' }, 'x'] } } : {}),
})

const modules = fc
  .array(
    fc.tuple(
      fc.constantFrom(...KIND_NAMES),
      fc.record({ filter: fc.boolean(), sort: fc.boolean(), patch: fc.boolean() }),
    ),
    {
      maxLength: 30,
    },
  )
  .chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      owned: fc.boolean(),
      more: fc.subarray(['follow', 'files', 'pool', 'team', 'star', 'tree'] as const),
      statuses: fc.boolean(),
    }),
  )
  .map(
    ({ kinds, owned, more, statuses }): ModuleDescription => ({
      name: 'ticket',
      label: '工单',
      title: 'title',
      behaviours: owned ? ['owned', ...more] : [],
      fields: [
        { name: 'title', kind: 'text', label: '标题', required: true },
        {
          name: 'state',
          kind: 'choice',
          label: '状态',
          options: [
            { value: 'open', label: '开' },
            { value: 'done', label: '完' },
          ],
        },
        ...(owned && more.includes('tree')
          ? [{ name: 'parent_id', kind: 'ref', module: 'ticket', label: '上级' } as const]
          : []),
        ...kinds.map(([kind, flags], i) => aField(kind, i, flags)),
      ],
      ...(statuses ? { statuses: { field: 'state', moves: { open: ['done'] } } } : {}),
    }),
  )

const derived = (page: DerivedPage, module: ModuleDescription): JsonObject => {
  const merged = asMerged(module, 'tenant')
  const others = new Map([['ticket', merged]])
  const isMade = isMadeOfOthers(merged, others)
  return derivePage(page, merged, WORDS, { isOwn: (name) => name === 'ticket', isMade, others })
}

const registry = createRegistry()
const { referred } = await loadPages(join(import.meta.dirname, '../../schemas'), checkPage)

/** As served by the server: with the parts that all pages share. */
const served = (page: DerivedPage, module: ModuleDescription) =>
  checkedPage(
    derived(page, module),
    page,
    { ...referred, module: (name) => (name === module.name ? module : referred.module(name)) },
    checkPage,
  )

it('pages of any module can be opened', () => {
  fc.assert(
    fc.property(modules, fc.constantFrom(...DERIVED_PAGES), (module, page) => {
      expect(checkModule(module)).toMatchObject({ ok: true })
      fc.pre(hasPage(page, module))

      expect(served(page, module).problems).toEqual([])
    }),
  )
})

it('a form has every writable part of its description: the same fields, in order, with labels and rules', () => {
  fc.assert(
    fc.property(modules, (module) => {
      const parsed = parsePage(served('add', module).document, { registry })
      if (!parsed.ok) throw new Error('the form cannot be opened')
      const nodes = [...parsed.page.nodes.values()].filter(({ subForm }) => subForm === null)
      // A place on the map is drawn by several widgets.
      const written = module.fields.filter(
        ({ kind }) => !kindOf(kind).derived && kindOf(kind).parts === undefined,
      )
      const drawn = written.flatMap(
        ({ name }) => nodes.find((node) => node.name === name && node.field) ?? [],
      )
      const order = nodes.filter((node) => drawn.includes(node))

      expect(order.map(({ name }) => name)).toEqual(written.map(({ name }) => name))
      expect(
        drawn.map(({ options }) => [
          options.label,
          options.requiredOn ?? null,
          ownValue(options.defaultOn, 'if') !== undefined,
        ]),
      ).toEqual(
        written.map(({ label, required, default: usual }) => [
          labelText(label),
          typeof required === 'object' ? required : null,
          usual !== undefined,
        ]),
      )
      const [create] = [...parsed.page.dataSources.values()].filter((one) => one.uniqueName === 'create')
      const sent = Object.keys((create?.body ?? {}) as JsonObject)
      expect(sent.filter((name) => written.some((one) => one.name === name))).toEqual(
        written.map(({ name }) => name),
      )
      for (const { name, kind } of module.fields) if (kindOf(kind).derived) expect(sent).not.toContain(name)
    }),
  )
})

it('a form with references loads their records, keeps their names, and creates missing ones', () => {
  fc.assert(
    fc.property(modules, (module) => {
      const parsed = parsePage(served('add', module).document, { registry })
      if (!parsed.ok) throw new Error('the form cannot be opened')
      const { nodes, byName, dataSources } = parsed.page
      for (const { name, kind, module: other } of module.fields) {
        if (!['ref', 'refs', 'user', 'users'].includes(kind)) continue
        const { type, options } = nodes.get(byName.get(name) ?? '') ?? {}
        const source = dataSources.get(String(options?.dsName))
        const asked = Array.isArray(source?.params) ? source.params.map((one) => ownValue(one, 'value')) : []

        expect(type).toBe('reference')
        // The parent of a record is not shown below it.
        const outside = name === 'parent_id' ? ['params.id'] : []
        expect(asked).toEqual(['DSV.search', 'DSV.cursor', 'DSV.ids', ...outside])
        expect(nodes.get(byName.get(String(options?.nameField)) ?? '')?.options.hidden).toBe(true)
        expect(options?.create).toBe(other === 'ticket' ? '/pages/m/ticket/add' : '')
      }
    }),
  )
})
