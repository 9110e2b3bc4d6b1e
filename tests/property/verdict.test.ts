import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { judgeSubmission } from '../../runtime/core/engine/judge-submission.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import { NAMED_RULES } from '../../runtime/core/rules/named-rules.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { aPage, aSubForm, aWidget } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'

const FIELDS = 7
const registry = createRegistry()

/** A rule over any field of the page: visibility must not form a cycle, so it reads fields with a lower number. */
const over = (below: number): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.nat({ max: below - 1 }), fc.constantFrom('', '1', '中'))
    .chain(([at, text]) =>
      fc.constantFrom<Json>({ '!!': { var: `form.f${at}` } }, { '==': [{ var: `form.f${at}` }, text] }),
    )
const rules = (at: number) =>
  fc.record(
    {
      required: fc.boolean(),
      requiredHint: fc.constantFrom('', '请填写'),
      validation: fc.constantFrom('', ...Object.keys(NAMED_RULES), '^[a-c]+$', '(a+)+$', '['),
      validationHint: fc.constantFrom('', '不对'),
      maxLength: fc.constantFrom(2, 20),
      hidden: fc.boolean(),
      ...(at > 0 ? { visibleOn: over(at), requiredOn: over(at) } : {}),
    },
    { requiredKeys: [] },
  )
const field = (name: string, at: number) =>
  fc
    .tuple(fc.constantFrom('input', 'textarea', 'number', 'select', 'date'), rules(at))
    .map(([type, options]) => aWidget(type, name, options))
const page = fc
  .tuple(...Array.from({ length: FIELDS }, (_, i) => field(`f${i}`, i)), field('r0', 0), field('r1', 0))
  .map((widgets) => aPage([...widgets.slice(0, FIELDS), aSubForm('rows', widgets.slice(FIELDS))]))
const value = fc.constantFrom<Json>(
  null,
  '',
  ' ',
  'a',
  'abc',
  '中文',
  '13800138000',
  'a@b.cn',
  0,
  1,
  '2026-02-30',
  '2026-11-20',
  `${'a'.repeat(40)}!`,
)
const typed = fc.array(fc.record({ at: fc.nat({ max: FIELDS - 1 }), value }), { maxLength: 12 })
const rows = fc.array(fc.record({ r0: value, r1: value }), { maxLength: 3 })

it('the server judges the submitted values as the page judged the input, and ignores hidden fields', async () => {
  let faults = 0
  let forgeries = 0
  await fc.assert(
    fc.asyncProperty(page, typed, rows, value, async (made, steps, given, forged) => {
      const engine = createEngine({ page: made, registry, ports: memoryWorld().ports })
      for (const step of steps) engine.change(`f${step.at}`, step.value)
      engine.setValues({ rows: given })

      const onPage = await engine.validate()
      const sent = engine.values()
      const onServer = await judge(made, sent)
      // The fields a rule reads may change visibility; the others must change nothing at all.
      const looked = JSON.stringify(made.document)
      const hidden = Array.from({ length: FIELDS }, (_, i) => `f${i}`).filter(
        (name) => engine.hidden(name) && !looked.includes(`"form.${name}"`),
      )
      const tampered = await judge(made, {
        ...sent,
        ...Object.fromEntries(hidden.map((name) => [name, forged])),
      })

      faults += onPage.length
      forgeries += hidden.length
      expect(onServer.errors.map(told)).toEqual(onPage.map(told))
      expect(tampered.errors.map(told)).toEqual(onPage.map(told))
      engine.dispose()
    }),
    { numRuns: 300 },
  )
  // Pages without possible errors, or without hidden fields, would prove nothing.
  expect([faults > 100, forgeries > 100]).toEqual([true, true])
})

const judge = (made: Page, values: JsonObject) => {
  const { ports } = memoryWorld()
  const { text, clock, script, http } = ports
  return judgeSubmission({ page: made, values, state: null, text, now: clock.now, script, send: http.send })
}
const told = ({ address, message }: { readonly address: string; readonly message: string }) =>
  `${address}: ${message}`
