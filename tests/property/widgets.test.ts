import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../runtime/core/json.ts'
import { printPage } from '../../runtime/core/page/print.ts'
import type { WidgetSpec } from '../../runtime/core/page/widget-spec.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { aDocument, registry } from '../support/a-page.ts'
import { asJson, optionsOf, written } from '../support/any-options.ts'
import { memoryWorld } from '../support/memory-ports.ts'

const specs = registry.list().map((spec) => [spec.type, spec] as const)
const fields = specs.filter(([, spec]) => spec.kind === 'field')
const { ports } = memoryWorld()

describe.each(specs)('%s with any options', (_type, spec) => {
  it('opens, or reports its fault, and is exported as it was written', () => {
    fc.assert(
      fc.property(optionsOf(spec), (options) => {
        const document = aDocument([written(spec, options)])
        const parsed = parsePage(document, { registry })
        if (parsed.ok) expect(printPage(parsed.page)).toEqual(JSON.parse(JSON.stringify(document)))
        else expect(parsed.problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 30 },
    )
  })
})

describe.each(fields)('%s with any options and any value', (_type, spec) => {
  const page = fc.record({ options: optionsOf(spec), value: fc.jsonValue().map(asJson) })

  it('has a state that can be drawn and read as text', () => {
    fc.assert(
      fc.property(page, ({ options, value }) => {
        const engine = open(spec, options, value)
        if (engine === null) return
        const state = engine.node('f')
        expect(JSON.parse(JSON.stringify(state.value ?? null))).toEqual(state.value ?? null)
        expect(typeof (spec.text?.(state.value, state.options, state.items) ?? '')).toBe('string')
        expect(typeof state.label).toBe('string')
      }),
      { numRuns: 60 },
    )
  })

  it('normalises its value in one step', () => {
    fc.assert(
      fc.property(page, ({ options, value }) => {
        const engine = open(spec, options, null)
        if (engine === null) return
        engine.change('f', value)
        const once = engine.node('f').value
        engine.change('f', once)
        expect(sameJson(engine.node('f').value, once)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('is unchanged after it was hidden and shown', () => {
    fc.assert(
      fc.property(page, ({ options, value }) => {
        const engine = open(spec, { ...options, hidden: false }, value)
        if (engine === null) return
        const before = engine.node('f')
        engine.setOption('f', 'hidden', true)
        expect(engine.node('f').hidden).toBe(true)
        engine.setOption('f', 'hidden', false)
        expect(plain(engine.node('f'))).toEqual(plain(before))
      }),
      { numRuns: 40 },
    )
  })

  it('returns to its default when the form is reset', () => {
    fc.assert(
      fc.property(page, ({ options, value }) => {
        const engine = open(spec, options, undefined)
        if (engine === null) return
        const before = engine.node('f').value
        engine.change('f', value)
        engine.reset()
        expect(engine.node('f').value).toEqual(before)
      }),
      { numRuns: 40 },
    )
  })
})

/** The field alone on its page; null if its options make no valid page. `undefined`: nothing was given, the default applies. */
function open(spec: WidgetSpec, options: JsonObject, value: Json | undefined): Engine | null {
  const parsed = parsePage(aDocument([written(spec, options)]), { registry })
  if (!parsed.ok) return null
  return createEngine({
    page: parsed.page,
    registry,
    ports,
    ...(value === undefined ? {} : { values: { f: value } }),
  })
}

const plain = ({
  value,
  hidden,
  disabled,
  readonly,
  required,
  error,
  options,
}: ReturnType<Engine['node']>): Json =>
  JSON.parse(
    JSON.stringify({
      value,
      hidden,
      disabled,
      readonly,
      required,
      error,
      options: isObject(options) ? options : null,
    }),
  )
