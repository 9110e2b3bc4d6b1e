import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import { type JudgedSubmission, judgeSubmission } from '../../../../runtime/core/engine/judge-submission.ts'
import { failure } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import {
  FORM_STATE_HEADER,
  type FormState,
  parseFormState,
} from '../../../../runtime/core/model/form-state.ts'
import type { HttpRequest, ScriptReport } from '../../../../runtime/core/ports.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { aPage, aSubForm, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

describe('a check without an answer, on the server', () => {
  it.each([
    ['returns nothing and takes no callback', 'var seen = value', [], []],
    ['counts its arguments', 'if (arguments.length < 1) return false', [], []],
    ['reads others of its arguments', 'const [x, y] = [arguments[1], arguments [ 2 ].a]; x === y', [], []],
    ['says a word like it', 'if (value === "y") return "wrong arguments"; this.evaluated', [], []],
    ['calls it by number', 'arguments[3](new Error("so"))', ['a: so'], []],
    ['calls it by a counted number', 'arguments[arguments.length - 1](new Error("so"))', ['a: so'], []],
    ['hands its arguments on', '(function (r, v, d, done) { done() })(...arguments)', [], []],
    ['calls it by its last number', 'const all = arguments; all[3](new Error("so"))', ['a: so'], []],
    ['never calls its callback', 'if (value === "never") callback()', ['a: rule.scriptFailed'], []],
    [
      'asks what only a user can answer',
      'this.$confirm("sure?").then(callback, callback)',
      [],
      ['onValidate a: confirm'],
    ],
  ])(
    'is judged as on the page, and named if it did not decide: it %s',
    async (_, onValidate, faults, unjudged) => {
      const reports: ScriptReport[] = []

      const found = await judge(
        [aWidget('input', 'a', { onValidate })],
        { a: 'x' },
        { onReport: (r) => reports.push(r) },
      )

      expect(found).toMatchObject({ faults, unjudged })
      expect(reports.length > 0).toBe(onValidate.includes('callback()'))
    },
  )
})

describe('the text that a check returns', () => {
  it.each([
    ['is its error', '"太低"', ['a: 太低'], [': 太低']],
    ['is no error if it is empty', '""', [], []],
    ['is cut', '"错".repeat(20000)', [`a: ${'错'.repeat(200)}`], [`: ${'错'.repeat(200)}`]],
    [
      'loses what cannot be read or turns it around',
      String.raw`"\u202e坏\u0000\n了\ud800"`,
      ['a: 坏 了'],
      [': 坏 了'],
    ],
    [
      'is the general one if nothing of it can be read',
      String.raw`"\u0000"`,
      ['a: hint'],
      [': form.invalid'],
    ],
  ])('%s', async (_, returned, ofField, ofForm) => {
    const code = `return ${returned}`
    const field = aWidget('input', 'a', { onValidate: code, validationHint: 'hint' })

    expect(await judge([field], { a: 'x' }, {})).toMatchObject({ faults: ofField })
    expect(
      await judge([aWidget('input', 'a')], { a: 'x' }, { formConfig: { onFormValidate: code } }),
    ).toMatchObject({
      faults: ofForm,
    })
  })
})

describe('a required rating', () => {
  const widgets = [
    aWidget('rate', 'stars', { required: true, requiredHint: '请打分' }),
    aWidget('slider', 'level', { required: true }),
    aSubForm('rows', [aWidget('rate', 'each', { required: true, requiredHint: '请逐项打分' })]),
  ]

  it('has to have a star, on the page and on the server, also in rows', async () => {
    const none = { stars: 0, level: 0, rows: [{ each: 0 }] }
    const faults = ['stars: 请打分', 'rows.0.each: 请逐项打分']

    expect(await judge(widgets, none, {})).toMatchObject({ faults })
    expect(await judge(widgets, { ...none, stars: null, rows: [{}] }, {})).toMatchObject({ faults })
    expect(await judge(widgets, { stars: 0.5, level: 0, rows: [{ each: 1 }] }, {})).toMatchObject({
      faults: [],
    })

    const engine = createEngine({ page: aPage(widgets), registry, ports: memoryWorld().ports, values: none })
    const found = await engine.validate()
    expect(found.map(({ address, message }) => `${address}: ${message}`)).toEqual(faults)
    expect(engine.node('stars').error).toBe('请打分')
    engine.change('stars', 3)
    expect(engine.node('stars').error).toBeNull()
  })
})

describe('rows that are no objects, on the server', () => {
  it('are judged as blank ones', async () => {
    const document = [aSubForm('rows', [aWidget('input', 'a', { required: true })])]

    const found = await judge(document, { rows: [null, 'x', { a: 'there' }] }, {})

    expect(found.faults).toHaveLength(2)
  })
})

describe('rules that read the page’s data, on the server', () => {
  const limited = [
    aWidget('input', 'a', { requiredOn: { '>': [{ var: 'data.limit.most' }, 5] } }),
    aWidget('input', 'b'),
  ]
  const limit = {
    uniqueName: 'limit',
    requestURL: '/limit',
    auto: true,
    params: [{ name: 'b', type: 'Variable', value: 'form.b' }],
  }

  it('receive it from its sources, requested in order as the page would', async () => {
    const steps = [
      { uniqueName: 'first', requestURL: '/first', auto: true },
      {
        uniqueName: 'limit',
        requestURL: '/limit?of={{ data.first.id }}',
        auto: { '!!': { var: 'data.first' } },
      },
      { uniqueName: 'idle', requestURL: '/idle', auto: true },
    ]
    const answers: Record<string, Json> = { '/first': { id: 'x' }, '/limit?of=x': { most: 9 } }

    const found = await judge(limited, {}, { sources: steps, answer: ({ url }) => answers[url] })

    expect(found).toMatchObject({
      faults: ['a: rule.required'],
      unjudged: [],
      asked: ['/first', '/limit?of=x'],
    })
  })

  it('use the result of a source’s code', async () => {
    const coded = { ...limit, dataHandlerCode: 'return { most: result.data.data.most * 2 }' }

    expect(await judge(limited, { b: '1' }, { sources: [coded], answer: () => ({ most: 3 }) })).toMatchObject(
      {
        faults: ['a: rule.required'],
        asked: ['/limit?b=1'],
      },
    )
  })

  it('name data that no source provides and no page has sent, and sources that the server does not call', async () => {
    expect(await judge(limited, {}, {})).toMatchObject({ faults: [], unjudged: ['data.limit'] })
    for (const requestURL of ['https://elsewhere.test/limit', 'cloud:limit'])
      expect(await judge(limited, {}, { sources: [{ ...limit, requestURL }] })).toMatchObject({
        unjudged: ['data.limit'],
        asked: [],
      })
    expect(await judge(limited, {}, { sources: [limit] })).toMatchObject({
      unjudged: ['data.limit: GET /limit'],
    })
  })

  it('use data that the page sent, but no copy of what the server can request itself', async () => {
    const state = { data: { limit: { most: 9 } }, params: {}, options: {} }
    const few = { sources: [limit], answer: () => ({ most: 1 }) }

    expect(await judge(limited, {}, { state })).toMatchObject({ faults: ['a: rule.required'], unjudged: [] })
    expect(await judge(limited, {}, { state, ...few })).toMatchObject({ faults: [], unjudged: [] })
  })

  it('that only affect the layout request nothing', async () => {
    const page = [
      aWidget('input', 'a', { label: '{{ data.title }}', disabledOn: { var: 'data.busy' }, required: true }),
      aWidget('static-text', 'note', { visibleOn: { var: 'data.note' } }),
      aWidget(
        'cell-group',
        'g',
        { openOn: { var: 'data.more' } },
        { category: 'container', widgetList: [aWidget('input', 'c', { required: true })] },
      ),
    ]

    expect(await judge(page, {}, {})).toMatchObject({
      faults: ['a: rule.required', 'c: rule.required'],
      unjudged: [],
    })
  })

  it('that read dictionaries are named', async () => {
    const page = [aWidget('input', 'a', { requiredOn: { '!!': { var: 'dict.level' } } })]

    expect(await judge(page, {}, {})).toMatchObject({ unjudged: ['dict'] })
  })
})

describe('code that calls a source in a check, on the server', () => {
  const taken = {
    uniqueName: 'taken',
    requestURL: '/mini/x/check',
    requestMethod: 'post',
    data: [{ name: 'name', type: 'Variable', value: 'DSV.name' }],
  }
  const field = aWidget('input', 'a', {
    onValidate:
      'this.executeDataSource("taken", { name: value }).then(function (r) { callback(r.free ? undefined : new Error("有了")) }, callback)',
  })

  it('receives an answer', async () => {
    const free = ({ body }: HttpRequest): Json => ({ free: (body as JsonObject).name === 'new' })

    expect(await judge([field], { a: 'old' }, { sources: [taken], answer: free })).toMatchObject({
      faults: ['a: 有了'],
      unjudged: [],
    })
    expect(await judge([field], { a: 'new' }, { sources: [taken], answer: free })).toMatchObject({
      faults: [],
      unjudged: [],
    })
  })

  it('does not decide if the server does not call the source, and is named', async () => {
    expect(await judge([field], { a: 'old' }, { sources: [taken] })).toMatchObject({
      faults: [],
      unjudged: ['onValidate a: POST /mini/x/check'],
    })
  })
})

describe('effects of the page’s code on its fields', () => {
  const widgets = [
    aWidget('input', 'a', { required: true }),
    aWidget('input', 'b'),
    aSubForm('rows', [aWidget('input', 'c', { required: true })]),
  ]
  const hooks = { onFormMounted: 'this.hideWidgets("a"); this.getWidgetRef("b").setRequired(true)' }

  it('are named if no page has sent them', async () => {
    expect(await judge(widgets, { b: '' }, { formConfig: hooks })).toMatchObject({ unjudged: ['code'] })
  })

  it('are judged as the page has sent them, including those in rows', async () => {
    const state: FormState = {
      data: {},
      params: {},
      options: { a: { hidden: true }, b: { required: true, label: 'x' }, 'rows.0.c': { hidden: true } },
    }

    expect(await judge(widgets, { rows: [{ c: '' }] }, { formConfig: hooks, state })).toMatchObject({
      faults: ['b: rule.required'],
      unjudged: [],
    })
  })

  it('are only accepted for pages that have such code', async () => {
    const state: FormState = { data: { x: 1 }, params: {}, options: { a: { hidden: true } } }

    expect(await judge(widgets, { rows: [] }, { state })).toMatchObject({ faults: ['a: rule.required'] })
  })
})

describe('the state sent with a write', () => {
  const save = (dataSources: readonly JsonObject[]): JsonObject => ({
    dataSources: [
      ...dataSources,
      { uniqueName: 'save', requestURL: '/save', requestMethod: 'post', body: 'form' },
    ] as readonly Json[],
  })
  const button = aWidget('button', 'go', { on: { click: [{ do: 'submit', dsName: 'save' }] } })
  const sent = async (
    widgets: readonly JsonObject[],
    dataSources: readonly JsonObject[] = [],
    partly = false,
  ) => {
    const world = memoryWorld()
    const engine = createEngine({
      page: aPage([...widgets, button], save(dataSources)),
      registry,
      ports: world.ports,
      params: { kind: 'big' },
    })
    engine.setData('limit', partly ? { most: 9, name: 'not read' } : { most: 9 })
    engine.setData('other', 'not read by a check')
    await engine.event('go', 'click')
    engine.dispose()
    return parseFormState(world.requests.find(({ url }) => url === '/save')?.headers?.[FORM_STATE_HEADER])
  }

  it('is what the checks read and the server cannot request', async () => {
    const read = aWidget('input', 'a', {
      requiredOn: { and: [{ '==': [{ var: 'params.kind' }, 'small'] }, { var: 'data.limit' }] },
    })

    const part = aWidget('input', 'b', {
      required: true,
      defaultValue: 'x',
      visibleOn: { '>': [{ var: 'data.limit.most' }, 1] },
    })
    const state = { data: { limit: { most: 9 } }, params: { kind: 'big' }, options: {} }

    expect(await sent([read])).toEqual(state)
    expect(await sent([read, part])).toEqual(state)
    expect(await sent([part], [], true)).toEqual({ ...state, params: {} })
  })

  it('is empty if nothing is read, or only what the server requests itself', async () => {
    const seen = { visibleOn: { '>': [{ var: 'data.limit.most' }, 5] } }
    const read = aWidget('input', 'a', { ...seen, required: true })

    expect(await sent([aWidget('input', 'a', { label: '{{ data.limit }}' })])).toBeNull()
    expect(await sent([aWidget('input', 'a', seen)])).toBeNull() // there is nothing to check
    expect(await sent([read], [{ uniqueName: 'limit', requestURL: '/limit' }])).toBeNull()
  })

  it.each(['', 'x', '%', '[]', '{}', '%7B%22data%22%3A1%7D', 'y'.repeat(10_000)])(
    'is empty in %j',
    (written) => {
      expect(parseFormState(written)).toBeNull()
    },
  )
})

interface Given extends Partial<Pick<JudgedSubmission, 'state' | 'onReport'>> {
  readonly sources?: readonly JsonObject[]
  readonly formConfig?: JsonObject
  /** The data of an answer; undefined: the server does not request it. */
  readonly answer?: (request: HttpRequest) => Json | undefined
}

async function judge(widgets: readonly JsonObject[], values: JsonObject, given: Given) {
  const { ports } = memoryWorld()
  const { sources = [], formConfig = {}, answer, state = null, ...rest } = given
  const asked: string[] = []
  const { errors, unjudged } = await judgeSubmission({
    page: aPage(widgets, { dataSources: sources as readonly Json[], ...formConfig }),
    values,
    text: (code) => code,
    now: ports.clock.now,
    script,
    state,
    async send(request) {
      asked.push(request.url)
      const data = answer?.(request)
      return data === undefined
        ? { ok: false, error: failure('NOT_A_READ', { url: request.url }) }
        : { ok: true, value: { status: 200, headers: {}, data: { meta: { code: 200 }, data } } }
    },
    ...rest,
  })
  return { faults: errors.map(({ address, message }) => `${address}: ${message}`), unjudged, asked }
}
