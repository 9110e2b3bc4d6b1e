import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failure } from '../../../runtime/core/errors.ts'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { timedVerdicts } from '../../../src/server/http/metrics.ts'
import type { AskServer, FormQuestion, Judgement } from '../../../src/server/kernel/forms/judge-form.ts'
import { createVerdicts, type Verdicts } from '../../../src/server/kernel/forms/verdicts.ts'
import { createMetrics } from '../../../src/server/kernel/metrics/metrics.ts'
import { buildThread } from '../../support/build-thread.ts'

let verdicts: Verdicts
const threads: Worker[] = []
/** Pages that were sent to a thread. */
let documents = 0
beforeAll(async () => {
  const file = await buildThread('src/server/kernel/forms/verdict-worker.ts')
  verdicts = createVerdicts({ most: 2, share: 1, waiting: 3 }, () => {
    const thread = new Worker(file, { env: {} })
    threads.push(thread)
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (message: { document?: string }) => {
      if (message.document !== undefined) documents += 1
      post(message)
    }
    return thread
  })
})
afterAll(() => verdicts.close())

let version = 0
function question(
  widgetList: readonly JsonObject[],
  values: JsonObject,
  formConfig: JsonObject = {},
): FormQuestion {
  version += 1
  const document = JSON.stringify({ widgetList, formConfig })
  return {
    etag: `"${version}"`,
    path: '/pages/x',
    document,
    values,
    params: {},
    user: {},
    state: null,
    now: 0,
  }
}
const field = (name: string, options: JsonObject = {}): JsonObject => ({
  type: 'input',
  id: name,
  formItemFlag: true,
  options: { name, label: name, ...options },
})
/** Its rule needs data that only a source has, so the page needs a thread. */
const read = field('read', { requiredOn: { var: 'data.d' } })
const fields = (n: number, options: JsonObject): JsonObject[] =>
  Array.from({ length: n }, (_, at) => field(`f${at}`, options))
const filled = (n: number, value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: n }, (_, at) => [`f${at}`, value]))
const busyFor = (ms: number) => `var end = Date.now() + ${ms}; while (Date.now() < end) {} return true`

/** A server without readable data. */
const nothing: AskServer = async ({ url }) => ({ ok: false, error: failure('NOT_A_READ', { url }) })
const judge = (asked: FormQuestion, send = nothing) => verdicts.judge('t', asked, send)

/** On a busy machine a harmless page may exceed its time: it is judged again. */
async function fairly(asked: FormQuestion, times = 5): Promise<Judgement> {
  const judgement = await judge(asked)
  return 'over' in judgement && times > 1 ? fairly(asked, times - 1) : judgement
}

describe('a verdict without a thread', () => {
  it('is given for a page with few rules, with the page’s messages', async () => {
    const before = documents
    const page = [
      field('a', { required: true, requiredHint: '请填甲' }),
      field('b', { visibleOn: { '==': [{ var: 'form.a' }, 'x'] }, required: true }),
    ]

    expect(await judge(question(page, { a: '', b: '' }))).toMatchObject({ faults: { a: '请填甲' } })
    expect(await judge(question(page, { a: 'x', b: '' }))).toMatchObject({ faults: { b: 'b必填' } })
    expect(await judge(question(page, { a: 'y', b: '' }))).toMatchObject({ faults: {}, unjudged: [] })
    expect(documents).toBe(before)
  })

  it('is not given if the rules take many steps: a thread is used from then on, at once', async () => {
    const before = documents
    const many = question(fields(100, { visibleOn: SOME }), filled(100, 'a'))

    for (let times = 0; times < 3; times += 1) expect(await fairly(many)).toMatchObject({ faults: {} })
    expect(documents).toBeGreaterThan(before)
  })

  it.each<[what: string, values: JsonObject]>([
    ['more values than people type', { a: '1', rows: Array.from({ length: 600 }, () => ({ b: '' })) }],
    ['a text as long as a book', { a: 'x'.repeat(30_000) }],
  ])('is not given for %s', async (_, values) => {
    const before = documents

    expect(await fairly(question([field('a', { required: true })], values))).toMatchObject({ faults: {} })
    expect(documents).toBeGreaterThan(before)
  })
})

describe('a verdict from a thread', () => {
  it('does not affect the next one in the same thread', async () => {
    const page = [field('a', { required: true }), read]
    for (let times = 0; times < 4; times += 1) await fairly(question(page, { a: '1' }))
    const before = threads.map((thread) => thread.listenerCount('exit'))

    for (let times = 0; times < 4; times += 1) await fairly(question(page, { a: '1' }))

    expect(threads.slice(0, before.length).map((thread) => thread.listenerCount('exit'))).toEqual(before)
  })

  it('sends its page to a thread once, and again after several others', async () => {
    const page = [field('a', { required: true, requiredHint: '请填甲' }), read]
    const empty = question(page, { a: '' })
    const said = { faults: { a: '请填甲' } }
    const threadsBefore = threads.length
    const before = documents

    for (let times = 0; times < 6; times += 1) expect(await fairly(empty)).toMatchObject(said)
    expect(documents - before).toBeLessThanOrEqual(1 + threads.length - threadsBefore)

    for (let times = 0; times < 60; times += 1) {
      const other = question([field('a', { required: true, requiredHint: `请填${times}` }), read], { a: '' })
      expect(await fairly(other)).toMatchObject({ faults: { a: `请填${times}` } })
    }
    expect(await fairly(empty)).toMatchObject(said)
  })

  it('equals the page’s: rules and code, with the same messages', async () => {
    const page = [
      field('a', { required: true, requiredHint: '请填甲' }),
      field('b', { onValidate: "return value === 'x' ? '不要 x' : true" }),
    ]

    expect(await fairly(question(page, { a: '', b: 'x' }))).toMatchObject({
      faults: { a: '请填甲', b: '不要 x' },
    })
    expect(await fairly(question(page, { a: '1', b: 'y' }))).toMatchObject({ faults: {} })
  })

  it.each<[string, () => FormQuestion, string]>([
    [
      '150 fields that each take most of their own time',
      () => question(fields(150, { onValidate: busyFor(80) }), filled(150, 'a')),
      'onValidate',
    ],
    [
      'a loop that nothing can interrupt',
      () =>
        question([field('a', { onValidate: "return 'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b') < 0" })], {
          a: '1',
        }),
      'onValidate',
    ],
    [
      '500 patterns that go astray',
      () => question(fields(500, { validation: '/^(a+)+$/' }), filled(500, `${'a'.repeat(60)}!`)),
      'rules',
    ],
    [
      'rules that make texts of texts',
      () => question(fields(200, { visibleOn: MASS }), filled(200, 'a')),
      'rules',
    ],
  ])('is not given for %s: it ends within its time, and the check is named', async (_, ask, hook) => {
    await judge(question([read], {})) // a thread is running
    const begin = performance.now()

    const judgement = await judge(ask())

    expect(judgement).toMatchObject({ over: { hook } })
    // At most 0.65 s, plus the start of a thread, on an idle machine.
    expect(performance.now() - begin).toBeLessThan(5_000)
    expect(await judge(question([field('a')], { a: '1' }))).toMatchObject({ faults: {} })
  })

  it('that exceeds its time is counted for its page', async () => {
    const metrics = createMetrics()
    const page = question(fields(150, { onValidate: busyFor(80) }), filled(150, 'a'))

    await timedVerdicts(verdicts, metrics).judge('t', page, nothing)

    expect(await metrics.text()).toContain('crm_hooks_killed_total{page="/pages/x"} 1')
  })

  it('with an expensive pattern in code is a fault of the field, and is reported to the author', async () => {
    const page = [field('a', { onValidate: `return /^(a+)+$/.test('${'a'.repeat(40)}!')` })]

    expect(await fairly(question(page, { a: '1' }))).toMatchObject({
      faults: { a: '校验代码有误，请联系管理员' },
      reports: [{ hook: 'onValidate', key: 'a', code: 'SCRIPT_BUDGET' }],
    })
  })

  it('calls the server for the inputs of its checks, within its time', async () => {
    const source = { uniqueName: 'd', requestURL: '/mini/d', requestMethod: 'get', auto: true }
    const page = [field('a', { requiredOn: { var: 'data.d' }, onValidate: CHECK })]
    const ask = (value: string, send: AskServer) =>
      judge(question(page, { a: value }, { dataSources: [source] }), send)
    const yes: AskServer = async () => ({ ok: true, value: { status: 200, headers: {}, data: true } })

    expect(await ask('', yes)).toMatchObject({ faults: { a: 'a必填' }, unjudged: [] })
    expect(await ask('x', yes)).toMatchObject({ faults: { a: 'true' }, unjudged: [] })
    expect(await ask('x', nothing)).toMatchObject({
      unjudged: ['data.d: GET /mini/d', 'onValidate a: GET /mini/d'],
    })
    expect(await ask('x', () => new Promise(() => undefined))).toMatchObject({
      over: { hook: 'data', key: 'd' },
    })
  })

  it('whose code never answers is a fault of the field', async () => {
    const page = [field('a', { onValidate: 'return new Promise(function () {})' })]

    expect(await fairly(question(page, { a: '1' }))).toMatchObject({
      faults: { a: '校验代码有误，请联系管理员' },
    })
  })

  it('is refused to a tenant with too many pending verdicts', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, () => verdicts.judge('many', question([read], {}), nothing)),
    )

    expect(answers.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(2)
    expect(answers.at(-1)).toMatchObject({ reason: { code: 429, message: '正在校验的表单较多，请稍后重试' } })
  })

  it('with code starts no thread of its own', async () => {
    const page = [field('a', { onValidate: "return value === 'x' ? '不要 x' : true" })]
    await fairly(question(page, { a: 'x' }))
    const before = threads.length

    for (let times = 0; times < 5; times += 1)
      expect(await fairly(question(page, { a: 'x' }))).toMatchObject({ faults: { a: '不要 x' } })

    expect(threads).toHaveLength(before)
  })

  it('asks nothing for code of an earlier page in its thread', async () => {
    const config = { dataSources: [{ uniqueName: 'd', requestURL: '/mini/d', requestMethod: 'get' }] }
    const again = "const ask = () => this.executeDataSource('d').then(ask); ask(); callback()"
    const once = "this.executeDataSource('d').then(function () { callback() })"
    let answer: (() => void) | undefined
    const slow: AskServer = () =>
      new Promise((done) => {
        answer = () => done({ ok: true, value: { status: 200, headers: {}, data: 1 } })
      })
    let asked = 0
    const counted: AskServer = async () => {
      asked += 1
      if (asked === 1) answer?.()
      await new Promise((later) => setTimeout(later, 30))
      return { ok: true, value: { status: 200, headers: {}, data: 1 } }
    }
    await judge(question([read], {})) // a thread is running
    const before = threads.length

    expect(
      await judge(question([field('a', { onValidate: again })], { a: '1' }, config), slow),
    ).toMatchObject({
      faults: {},
    })
    expect(answer).toBeDefined()
    expect(
      await judge(question([field('a', { onValidate: once })], { a: '1' }, config), counted),
    ).toMatchObject({
      faults: {},
    })

    expect(asked).toBe(1)
    expect(threads).toHaveLength(before)
  })

  it('sees nothing that another page left in its thread', async () => {
    const leave = field('a', { onValidate: 'globalThis.left = 1; Array.prototype.left = 1; return true' })
    const look = field('a', { onValidate: 'return typeof globalThis.left + typeof [].left' })

    await judge(question([leave], { a: '1' }))

    expect(await fairly(question([look], { a: '1' }))).toMatchObject({
      faults: { a: 'undefinedundefined' },
    })
  })
})

const CHECK =
  "this.executeDataSource('d').then(function (found) { callback(new Error(String(found))) }, callback)"
/** A few hundred steps. */
const SOME = {
  '>': [{ reduce: [Array.from({ length: 100 }, (_, n) => n), { '+': [{ var: 'current' }, 1] }, 0] }, -1],
}
const TEN = Array.from({ length: 10 }, (_, n) => n)
/** Nested steps, each with a text of 80,000 characters. */
const MASS = {
  '>': [
    {
      reduce: [
        {
          map: [
            TEN,
            {
              map: [Array.from({ length: 100 }, (_, n) => n), { length: [{ cat: ['x'.repeat(800), 'y'] }] }],
            },
          ],
        },
        1,
        0,
      ],
    },
    0,
  ],
}
