import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import type { WidgetSpec } from '../../../../runtime/core/page/widget-spec.ts'
import { createRegistry, createWidgetRegistry } from '../../../../runtime/core/widgets/index.ts'

describe('the registry', () => {
  it('finds a widget by its type, by the mobile notation and by an alias', () => {
    const registry = createRegistry()

    expect(registry.get('input')?.type).toBe('input')
    expect(registry.get('m-input')?.type).toBe('input')
    expect(registry.get('card')?.type).toBe('cell-group')
    expect(registry.get('rich-editor')?.type).toBe('textarea')
    expect(registry.get('constructor')).toBeUndefined()
  })

  it('registers a guest’s widget the same way', () => {
    const registry = createRegistry()

    registry.register({ ...plain, type: 'guest-map' })

    expect(registry.get('m-guest-map')?.type).toBe('guest-map')
    expect(registry.list().at(-1)?.type).toBe('guest-map')
  })

  it('refuses a type that is taken, also as an alias', () => {
    const registry = createWidgetRegistry()
    registry.register({ ...plain, type: 'one', aliases: ['uno'] })

    expect(() => registry.register({ ...plain, type: 'uno' })).toThrow('WIDGET_REPEATED')
    expect(() => registry.register({ ...plain, type: 'two', aliases: ['one'] })).toThrow('WIDGET_REPEATED')
    expect(registry.get('two')).toBeUndefined()
  })
})

describe('the catalogue', () => {
  const fields = createRegistry()
    .list()
    .filter((spec) => spec.kind === 'field')

  it.each([
    ['cell-group grid collapse tab sub-form'],
    ['input textarea number stepper radio checkbox select date date-range datetime time switch rate slider'],
    ['static-text html-text button divider calendar alert cascader picture-upload file-upload slot'],
  ])('has what the renderer must show: %s', (types) => {
    const registry = createRegistry()

    for (const type of types.split(' ')) expect(registry.get(type), type).toBeDefined()
  })

  it('documents every option of a page widget', () => {
    for (const spec of createRegistry().list()) {
      if (spec.kind !== 'page') continue
      for (const [name, option] of Object.entries(spec.options)) {
        const common = [
          'name',
          'hidden',
          'customClass',
          'label',
          'gap',
          'columns',
          'retry',
          'icon',
          'onClick',
        ]
        if (!common.includes(name)) expect(option.doc, `${spec.type}.${name}`).toBeTruthy()
      }
    }
  })

  it.each(fields.map((spec) => [spec.type, spec] as const))(
    '%s normalises any value in one step',
    (_type, spec) => {
      const { normalize } = spec
      if (normalize === undefined) return
      const options = defaultsOf(spec)

      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const once = normalize(value as Json, options)
          expect(normalize(once, options)).toEqual(once)
        }),
      )
    },
  )

  it.each(fields.map((spec) => [spec.type, spec] as const))('%s formats any value as text', (_type, spec) => {
    const { text } = spec
    if (text === undefined) return

    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof text(value as Json, defaultsOf(spec), [])).toBe('string')
      }),
    )
  })
})

const plain = { kind: 'static', options: {}, events: [] } as const

function defaultsOf(spec: WidgetSpec): Record<string, Json> {
  return Object.fromEntries(Object.entries(spec.options).map(([name, option]) => [name, option.default]))
}
