import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../../../runtime/core/check/parse-strictly.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { parsePage } from '../../../../runtime/core/parse-page.ts'
import { COMMON_OPTIONS } from '../../../../runtime/core/widgets/index.ts'
import { aDocument, aWidget, registry } from '../../../support/a-page.ts'

const ours = (widgets: readonly JsonObject[], page: JsonObject = {}, form: JsonObject = {}) =>
  found(aDocument(widgets, { page, ...form }))
const found = (document: JsonObject): readonly string[] => {
  const parsed = parseStrictly(document, { registry })
  const problems = parsed.ok ? parsed.warnings : parsed.problems
  return problems.map(
    ({ severity, code, at, message, hint }) => `${severity} ${code} ${at} ${message} | ${hint}`,
  )
}

describe('an unknown word', () => {
  it.each<[string, () => readonly string[], RegExp]>([
    [
      'an option',
      () => ours([aWidget('input', 'a', { requried: true })]),
      /^error WORD_UNKNOWN \/widgetList\/0\/options\/requried "requried" is not one of the options of input \| did you mean "required"\?$/,
    ],
    [
      'an option that is like no other',
      () => ours([aWidget('divider', 'a', { wobble: 1 })]),
      /"wobble" is not one of the options of divider \| known: visibleOn, /,
    ],
    [
      'an event',
      () => ours([aWidget('button', 'a', { on: { clik: [] } })]),
      /\/widgetList\/0\/options\/on\/clik .*did you mean "click"/,
    ],
    [
      'a hook',
      () => ours([aWidget('input', 'a', { onChnage: 'return' })]),
      /\/options\/onChnage .*did you mean "onChange"/,
    ],
    [
      'a key of the page',
      () => ours([], { titel: 'x' }),
      /\/formConfig\/page\/titel "titel" is not one of the keys of a page \| did you mean "title"/,
    ],
    [
      'an event of the page',
      () => ours([], { on: { laod: [] } }),
      /\/formConfig\/page\/on\/laod .*did you mean "load"/,
    ],
    [
      'a key of a source',
      () => ours([], {}, { dataSources: [{ uniqueName: 'd', requestURL: '/d', requestMetod: 'post' }] }),
      /\/formConfig\/dataSources\/0\/requestMetod .*did you mean "requestMethod"/,
    ],
    [
      'a key of the form',
      () => ours([], {}, { errShowTyp: 'toast' }),
      /errShowTyp .*did you mean "errShowType"/,
    ],
    [
      'a key of a widget',
      () => ours([{ ...aWidget('input', 'a'), option: {} }]),
      /\/widgetList\/0\/option .*"options"/,
    ],
  ])('is reported: %s', (_, check, message) => {
    expect(check()).toEqual([expect.stringMatching(message)])
  })

  it('is not the name that older documents use for an option', () => {
    const older = { visible: false, disabledMode: true, title: '抽屉' }
    expect(ours([aWidget('vf-drawer', 'a', older), aWidget('dialog', 'b', older)])).toEqual([])
    expect(ours([aWidget('drawer', 'a', { visible: 'yes' })])).toEqual([
      expect.stringMatching(/^error OPTION_INVALID .*\/visible "visible" is true or false/),
    ])
    expect(ours([aWidget('sheet', 'a', { visible: false })])).toEqual([
      expect.stringMatching(/^error WORD_UNKNOWN .*\/visible /),
    ])
  })

  it('does not stop a page from opening', () => {
    const document = aDocument([aWidget('input', 'a', { requried: true })], { page: {} })

    expect(parsePage(document, { registry })).toMatchObject({ ok: true, warnings: [] })
  })

  it('is only advice in a plain VForm document, and only if it looks like a typo', () => {
    const document = aDocument([
      aWidget('input', 'a', { requried: true, labelIconClass: 'x', keyNameEnabled: true }),
    ])

    expect(found(document)).toEqual([expect.stringMatching(/^warning WORD_UNKNOWN .*"requried"/)])
  })

  it('may be addressed to the reader of the file', () => {
    expect(ours([aWidget('input', 'a', { $comment: 'why' })], { $comment: 'why' })).toEqual([])
  })
})

describe('an invalid value of an option', () => {
  it.each<[JsonObject, RegExp]>([
    [{ required: 'yes' }, /"required" is true or false/],
    [{ labelWidth: 'wide' }, /"labelWidth" is a number/],
    [{ labelIconPosition: 'side' }, /"labelIconPosition" is one of "rear", "front"/],
    [{ label: { a: 1 } }, /"label" is a text/],
    [{ visibleOn: 'form.a' }, /"visibleOn" is a rule, not a text/],
  ])('is reported: %j', (options, message) => {
    expect(ours([aWidget('input', 'a', options)])).toEqual([expect.stringMatching(message)])
  })

  it('is not reported for a value that is empty, the default, a number as text, or a text with placeholders', () => {
    const fine = {
      labelWidth: '120',
      required: null,
      hint: '',
      maxLength: '{{ data.most }}',
      label: '{{ data.x }}',
    }

    expect(ours([aWidget('input', 'a', fine)])).toEqual([])
  })
})

it('is not reported for the options and events of any widget', () => {
  const sample = (type: string, initial: Json): Json => (type === 'rule' ? { '!!': [true] } : initial)
  const all = registry.list().filter(({ type }) => type !== 'unsupported')
  const widgets = all.map((spec) => {
    const options = Object.entries({ ...COMMON_OPTIONS, ...spec.options }).filter(
      ([name]) => !['name', 'on', 'valueOn', 'dsName', 'dict', 'bind'].includes(name),
    )
    return {
      ...aWidget(spec.type, spec.type),
      options: {
        ...Object.fromEntries(options.map(([name, one]) => [name, sample(one.type, one.default)])),
        name: `w-${spec.type}`,
        on: Object.fromEntries(spec.events.map((event) => [event, []])),
      },
    }
  })

  expect(all.length).toBeGreaterThan(60)
  expect(ours(widgets).filter((one) => /WORD_UNKNOWN|OPTION_INVALID/.test(one))).toEqual([])
})
