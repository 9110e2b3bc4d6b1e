import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import { createInProcessScript } from '../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../runtime/sandbox/parse-for-scripts.ts'
import { aWidget } from '../support/a-page.ts'
import { aScriptedEngine, type ScriptedEngine } from '../support/scripted-engine.ts'

/** The actions of page code, step by step; `then` continues in a later run, when the source has answered. */
type Step =
  | { readonly do: 'set'; readonly field: string; readonly value: number }
  | { readonly do: 'hide'; readonly field: string; readonly on: boolean }
  | { readonly do: 'ask' }
  | { readonly do: 'check' }
  | { readonly do: 'then' }

const FIELDS = ['a', 'b', 'c']
const field = fc.constantFrom(...FIELDS)
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), field, value: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('hide' as const), field, on: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constant({ do: 'ask' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'check' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'then' as const }) },
  ),
  { maxLength: 14 },
)

/** Runs such a list; each check reports its position in the list and its verdict. */
const INTERPRETER = `function run(f, list, at) {
  for (; at < list.length; at++) {
    const step = list[at], here = at
    if (step.do === 'set') f.setFieldValue(step.field, step.value)
    else if (step.do === 'hide') f.getWidgetRef(step.field).setHidden(step.on)
    else if (step.do === 'ask') f.executeDataSource('d')
    else if (step.do === 'check') f.validateForm(function (valid) { f.$emit('checked', here, valid) })
    else return void f.executeDataSource('pause').then(function () { run(f, list, here + 1) })
  }
  f.$emit('end')
}`

const script = createInProcessScript(nodeQuickJs, parseForScripts)
let page: ScriptedEngine
beforeAll(() => {
  page = aScriptedEngine(
    script,
    [
      ...FIELDS.map((name) => aWidget('number', name, { max: 4 })),
      aWidget('input', 'program', {
        onChange: 'if (value) run(this.getFormRef(), JSON.parse(value), 0)',
      }),
    ],
    {
      functions: INTERPRETER,
      dataSources: [
        {
          uniqueName: 'd',
          requestURL: '/d',
          requestMethod: 'post',
          data: FIELDS.map((name) => ({ name, type: 'Variable', value: `form.${name}` })),
        },
        { uniqueName: 'pause', requestURL: '/pause' },
      ],
    },
  )
})
afterAll(() => page.engine.dispose())

it('each request and each check of a script sees the page as the script had left it at that moment', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { engine, world, told, reports } = page
      const before = { asked: world.requests.length, told: told.length }
      engine.setValues({ program: '', ...Object.fromEntries(FIELDS.map((name) => [name, 0])) })
      for (const name of FIELDS) engine.setOption(name, 'hidden', false)

      engine.change('program', JSON.stringify(list))
      const expected = interpret(list)
      const seen = () => told.slice(before.told).filter(([name]) => name === 'checked' || name === 'end')
      await expect
        .poll(seen, { interval: 2, timeout: 5_000 })
        .toHaveLength(Object.keys(expected.verdicts).length + 1)

      const bodies = world.requests.slice(before.asked).filter(({ url }) => url === '/d')
      expect(bodies.map(({ body }) => body)).toEqual(expected.bodies)
      const verdicts = seen().filter(([name]) => name === 'checked')
      expect(Object.fromEntries(verdicts.map(([, at, valid]) => [String(at), valid]))).toEqual(
        expected.verdicts,
      )
      expect(reports).toEqual([])
    }),
    { numRuns: 60 },
  )
})

/** A plain model of the same: values, hidden fields, and what each request and check sees of them. */
function interpret(list: readonly Step[]): { bodies: readonly Json[]; verdicts: Record<string, boolean> } {
  const values: Record<string, number> = Object.fromEntries(FIELDS.map((name) => [name, 0]))
  const hidden = new Set<string>()
  const bodies: Json[] = []
  const verdicts: Record<string, boolean> = {}
  for (const [at, step] of list.entries()) {
    if (step.do === 'set') values[step.field] = step.value
    else if (step.do === 'hide') hidden[step.on ? 'add' : 'delete'](step.field)
    else if (step.do === 'ask') bodies.push({ ...values })
    else if (step.do === 'check')
      verdicts[at] = FIELDS.every((name) => hidden.has(name) || (values[name] ?? 0) <= 4)
  }
  return { bodies, verdicts }
}
