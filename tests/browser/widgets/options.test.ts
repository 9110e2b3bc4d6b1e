import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOOKS } from '../../../runtime/core/hooks/hook-names.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { WidgetSpec } from '../../../runtime/core/page/widget-spec.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { everyWidget, WORLD } from './every-widget.ts'
import { ALTERNATIVES, ELSEWHERE, EMPTY, NOT_SHOWN, OPENED, WITH, WITHOUT_EFFECT } from './option-cases.ts'
import { outlines } from './outlines.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
  await phone.page.route(/none\.mp4/, () => {}) // a film that neither loads nor fails
})
afterAll(() => stage.close())

/** Widgets whose options are not tested: they stand for others. */
const NOT_OURS = new Set(['unsupported'])
const specs = createRegistry()
  .list()
  .filter(({ type }) => !NOT_OURS.has(type))
const PER_GROUP = 24
const PER_PAGE = 90

describe('every option of every widget', () => {
  const isLayer = (spec: WidgetSpec) => 'open' in spec.options
  /** Layers cover each other, so each has a page of its own. */
  const pages = [specs.filter((spec) => !isLayer(spec)), ...specs.filter(isLayer).map((spec) => [spec])]

  it('changes the drawing, the value or a check, or is listed with its test or its reason', {
    timeout: 240_000,
  }, async () => {
    phone.allow(/./) // React and the network complain about made-up values
    const unmoved = new Set<string>()
    for (const kinds of pages) {
      const trials = kinds.flatMap(trialsOf)
      for (let at = 0; at < trials.length; at += PER_PAGE) {
        const part = trials.slice(at, at + PER_PAGE)
        const first = await movedOf(part)
        // On a busy machine a late render may cause a difference that disappears at the second comparison; an option without effect shows none.
        const moved = new Set([...first, ...(await movedOf(part.filter(({ name }) => !first.has(name))))])
        for (const { name } of part) if (!moved.has(name)) unmoved.add(name)
        for (const { name } of part) if (moved.has(name)) unmoved.delete(name)
      }
    }
    expect([...unmoved]).toEqual([])
  })
})

/** A closed layer is not in the document: `open` comes last, so that each of the others is compared with its own. */
const trialsOf = (spec: WidgetSpec): readonly Trial[] =>
  Object.keys(spec.options)
    .filter((option) => !isSettled(spec, option))
    .sort((one, other) => Number(one === 'open') - Number(other === 'open'))
    .flatMap((option) =>
      variants(spec, option).map((value) => ({ spec, option, value, name: `${spec.type}.${option}` })),
    )

/** Compared while editable and while read-only; the remaining ones are given values, and checked. */
async function movedOf(trials: readonly Trial[]): Promise<ReadonlySet<string>> {
  const moved = new Set<string>()
  for (const [readMode, probing] of [
    [false, false],
    [false, true],
    [true, false],
  ] as const) {
    const rest = trials.filter(({ name }) => !moved.has(name))
    if (rest.length === 0) break
    const values = Object.assign({}, ...rest.map(valuesOf))
    await phone.show(pageOf(rest), { ...WORLD, values, readMode })
    const pairs = await phone.page.evaluate(outlines, { pairs: rest.length, probing })
    for (const [i, [before, after]] of pairs.entries()) if (before !== after) moved.add(rest[i]?.name ?? '')
  }
  return moved
}

describe('an option of a layer', () => {
  it.each([...OPENED])('%s is visible there', async (name) => {
    const [type = '', option = ''] = name.split('.')
    const spec = specs.find((one) => one.type === type)
    if (!spec) throw new Error(`no widget ${type}`)
    const trial = { spec, option, value: variants(spec, option)[0] ?? null, name }
    const seen: string[] = []
    for (const side of ['a', 'b']) {
      await phone.show(pageOf([trial]), { ...WORLD, values: valuesOf(trial, 0) })
      const face = phone.page.locator('.vf-picker-face').nth(side === 'a' ? 0 : 1)
      await face.focus()
      await phone.page.waitForTimeout(400)
      const layers = () => phone.page.locator('.vf-layer').count()
      const opened = await layers()
      if (opened === 0) await face.click()
      await phone.page.locator('.vf-layer').waitFor()
      await phone.page.waitForTimeout(200)
      seen.push(`${opened} ${(await phone.page.locator('.vf-layer').innerText()).replaceAll(/__0[ab]/g, '')}`)
    }
    expect(seen[0]).not.toBe(seen[1])
  })
})

describe('options that are tested elsewhere', () => {
  it.each(Object.entries(ELSEWHERE))('%s has a test of the listed name', (_option, [file, sentence]) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(text).toContain(sentence)
  })

  it.each(Object.keys(NOT_SHOWN))('%s is read by its view', (name) => {
    const [type, option = ''] = name.split('.')
    const view = readFileSync(new URL(`../../../runtime/react/widgets/${type}.tsx`, import.meta.url), 'utf8')
    const imported = [...view.matchAll(/from '(\.\.\/[^']+)'|import\('(\.\.\/[^']+)'\)/g)].map(([, a, b]) =>
      readFileSync(new URL(`../../../runtime/react/widgets/${a ?? b}`, import.meta.url), 'utf8'),
    )
    expect([view, ...imported].join('\n')).toContain(option)
  })

  it('exist, and listed hooks are run', () => {
    const named = [ELSEWHERE, WITHOUT_EFFECT, NOT_SHOWN].flatMap((table) => Object.keys(table))
    const known = new Set(
      specs.flatMap(({ type, options }) => Object.keys(options).flatMap((name) => [name, `${type}.${name}`])),
    )
    expect(named.filter((name) => !known.has(name))).toEqual([])
    const code = specs.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, { type }]) => (type === 'code' ? [name] : [])),
    )
    expect(code.filter((name) => !(name in HOOKS))).toEqual([])
  })
})

function isSettled(spec: WidgetSpec, option: string): boolean {
  const names = [option, `${spec.type}.${option}`]
  return (
    spec.options[option]?.type === 'code' ||
    names.some((name) => name in ELSEWHERE || name in WITHOUT_EFFECT || name in NOT_SHOWN || OPENED.has(name))
  )
}

/** Values other than the current one. */
function variants(spec: WidgetSpec, option: string): readonly Json[] {
  const given =
    ALTERNATIVES[`${spec.type}.${option}`] ??
    (option === 'defaultValue' ? WORLD.values?.[String(sampleOf(spec).target.options.name)] : undefined) ??
    ALTERNATIVES[option]
  if (given !== undefined) return [given]
  const facts = spec.options[option]
  const usual = {
    ...(facts?.default === undefined ? {} : { [option]: facts.default }),
    ...sampleOf(spec).target.options,
    ...withFor(spec, option),
  } as JsonObject
  const now = usual[option] ?? null
  if (facts?.enum) return facts.enum.filter((word) => word !== now)
  if (facts?.type === 'boolean') return [now !== true]
  if (facts?.type === 'number') return [typeof now === 'number' ? now + 3 : 7]
  if (facts?.type === 'array') return [[{ name: 'zz9', label: 'zz9', title: 'zz9', value: 'zz9' }]]
  return ['zz9']
}

const withFor = (spec: WidgetSpec, option: string): JsonObject => ({
  ...WITH[spec.type],
  ...WITH[option],
  ...WITH[`${spec.type}.${option}`],
})

interface Trial {
  readonly spec: WidgetSpec
  readonly option: string
  readonly value: Json
  readonly name: string
}

/** Each trial twice: unchanged, and with the other value. */
function pageOf(trials: readonly Trial[]): JsonObject {
  const widgets = trials.flatMap(({ spec, option, value }, i) =>
    ['a', 'b'].map((side) =>
      copyOf(spec, `__${i}${side}`, {
        ...withFor(spec, option),
        ...(side === 'b' ? { [option]: marked(value, `__${i}${side}`) } : {}),
      }),
    ),
  )
  const groups = Array.from({ length: Math.ceil(widgets.length / PER_GROUP) }, (_, i) =>
    aWidget(
      'cell-group',
      `group${i}`,
      { label: '' },
      {
        category: 'container',
        widgetList: widgets.slice(i * PER_GROUP, (i + 1) * PER_GROUP) as readonly Json[],
      },
    ),
  )
  return aDocument(groups)
}

/** `@name` stands for another widget of the sample. */
const marked = (value: Json, mark: string): Json =>
  typeof value === 'string' && value.startsWith('@') ? `${value.slice(1)}${mark}` : value

/** The sample with all its names marked, and with overridden options of the widget under test. */
function copyOf(spec: WidgetSpec, mark: string, options: JsonObject): JsonObject {
  const copy = (json: Json): Json => {
    if (Array.isArray(json)) return json.map(copy)
    if (!isObject(json)) return json
    if (typeof json.type !== 'string' || !isObject(json.options))
      return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, copy(value ?? null)]))
    const own = json === sampleOf(spec).target ? options : {}
    const { options: given, ...rest } = json
    return {
      ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, copy(value ?? null)])),
      id: `${json.id ?? json.type}${mark}`,
      options: { ...given, ...own, name: `${given.name ?? json.type}${mark}` },
    }
  }
  return copy(sampleOf(spec).root) as JsonObject
}

interface Sample {
  /** The visible element: the widget itself, or the one it is a part of. */
  readonly root: JsonObject
  readonly target: JsonObject & { readonly options: JsonObject }
}

const samples = new Map<string, Sample>()

function sampleOf(spec: WidgetSpec): Sample {
  const known = samples.get(spec.type)
  if (known) return known
  const find = (json: Json, root: JsonObject | null): Sample | undefined => {
    if (Array.isArray(json)) {
      const found = (json as readonly Json[]).flatMap((each) => find(each, root) ?? [])
      return spec.kind === 'part' ? found.at(-1) : found[0] // the first pane is shown anyway
    }
    if (!isObject(json)) return undefined
    const isWidget = typeof json.type === 'string' && isObject(json.options)
    const top = root ?? (isWidget && spec.kind !== 'part' ? null : isWidget ? json : null)
    if (isWidget && json.type === spec.type) return { root: top ?? json, target: json as Sample['target'] }
    return find(Object.values(json) as readonly Json[], top)
  }
  const found = find(everyWidget().widgetList ?? [], null)
  if (!found) throw new Error(`no sample of ${spec.type}`)
  samples.set(spec.type, found)
  return found
}

/** The data for both sides; none for the widget under test if its option defines what is shown without a value. */
function valuesOf({ spec, option }: Trial, i: number): JsonObject {
  const own = sampleOf(spec).target.options.name
  return Object.fromEntries(
    Object.entries(WORLD.values ?? {})
      .filter(([name]) => !(EMPTY.has(option) && name === own))
      .flatMap(([name, value]) => ['a', 'b'].map((side) => [`${name}__${i}${side}`, value ?? null])),
  )
}
