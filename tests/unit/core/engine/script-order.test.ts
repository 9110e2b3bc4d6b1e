import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { aWidget } from '../../../support/a-page.ts'
import { aScriptedEngine, type ScriptedEngine } from '../../../support/scripted-engine.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

const engines: Engine[] = []
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose()
})
const open = (...args: Parameters<typeof aScriptedEngine> extends [unknown, ...infer R] ? R : never) => {
  const opened = aScriptedEngine(script, ...args)
  engines.push(opened.engine)
  return opened
}

/** Sends the result of a check to the host, as `["checked", valid]`. */
const VALIDATE = 'f.validateForm(function (valid) { f.$emit("checked", valid) })'
const aButton = (onClick: string) =>
  aWidget('button', 'go', { onClick: `var f = this.getFormRef(); ${onClick}` })
const checked = ({ told }: ScriptedEngine): readonly Json[] =>
  told.flatMap(([name, valid]) => (name === 'checked' ? [valid ?? null] : []))

describe('writes of a script come first', () => {
  it('in the check that it starts: a value, a hidden field, a required field', async () => {
    const opened = open([
      aWidget('input', 'a', { required: true }),
      aWidget('input', 'b', { required: true }),
      aWidget('input', 'c'),
      aButton(
        `f.setFieldValue("a", "x"); f.hideWidgets("b");
          f.validateForm(function (valid) { f.$emit("first", valid) });
          f.setWidgetsRequired("c");
          f.validateForm(function (valid) { f.$emit("second", valid) })`,
      ),
    ])

    await opened.engine.event('go', 'click')

    await expect.poll(() => opened.told).toContainEqual(['first', true])
    await expect.poll(() => opened.told).toContainEqual(['second', false])
    expect(opened.engine.node('c').error).not.toBeNull()
  })

  it('in the check of one field', async () => {
    const { engine, told } = open([
      aWidget('input', 'a', { required: true }),
      aButton('f.setFieldValue("a", "x"); f.validateField("a").then(function (ok) { f.$emit("one", ok) })'),
    ])

    await engine.event('go', 'click')

    await expect.poll(() => told).toContainEqual(['one', true])
  })

  it('in each data source, as of the time of the request', async () => {
    const { engine, world } = open(
      [
        aWidget('input', 'c'),
        aButton(`for (var i = 1; i <= 3; i++) { f.setFieldValue("c", "js" + i); f.executeDataSource("d") }
          f.setFieldValue("c", "after")`),
      ],
      { dataSources: [aSource] },
    )

    await engine.event('go', 'click')

    await expect.poll(() => engine.node('c').value).toBe('after')
    expect(world.requests.map(({ url }) => url)).toEqual(['/d?c=js1', '/d?c=js2', '/d?c=js3'])
  })

  it('in a call by URL', async () => {
    const { engine, world } = open(
      [aWidget('input', 'c'), aButton('f.setFieldValue("c", "js"); axios.post("/save", { from: "script" })')],
      {
        dataSources: [
          {
            uniqueName: 'save',
            requestURL: '/save',
            requestMethod: 'post',
            headers: [{ name: 'x-c', type: 'Variable', value: 'form.c' }],
          },
        ],
      },
    )

    await engine.event('go', 'click')

    await expect.poll(() => world.requests).toMatchObject([{ url: '/save', headers: { 'x-c': 'js' } }])
  })

  it('in a run after a promise', async () => {
    const { engine, world } = open(
      [
        aWidget('input', 'c'),
        aButton(
          'f.$alert("看").then(function () { f.setFieldValue("c", "woken"); f.executeDataSource("d") })',
        ),
      ],
      { dataSources: [aSource] },
    )

    await engine.event('go', 'click')

    await expect.poll(() => world.requests.map(({ url }) => url)).toEqual(['/d?c=woken'])
  })

  it('for waiting callers: the writes of a data handler are applied before its result', async () => {
    const { engine } = open([aWidget('input', 'c')], {
      dataSources: [{ ...aSource, dataHandlerCode: 'VFR.setFieldValue("c", "handled"); return 1' }],
    })

    const seen = await engine.request('d').then(() => engine.node('c').value)

    expect(seen).toBe('handled')
  })

  it('and are discarded if the run is aborted', async () => {
    const { engine, world, reports } = open(
      [aWidget('input', 'c'), aButton('f.setFieldValue("c", "half"); f.executeDataSource("d"); for (;;) {}')],
      { dataSources: [aSource] },
    )

    await engine.event('go', 'click')

    await expect.poll(() => reports).toMatchObject([{ code: 'SCRIPT_BUDGET' }])
    expect(engine.node('c').value).toBeNull()
    expect(world.requests).toEqual([])
  })
})

describe('a check that does not answer', () => {
  it('passes if it returns nothing and has no callback, and the calling script continues', async () => {
    const opened = open([
      aWidget('input', 'a', { defaultValue: 'x', onValidate: 'var seen = value // no callback here' }),
      aButton(VALIDATE),
    ])

    await opened.engine.event('go', 'click')

    await expect.poll(() => checked(opened)).toEqual([true])
  })

  it('passes at once, whatever else is running', async () => {
    const { engine } = open(
      [
        aWidget('input', 'a', { onValidate: ';' }),
        aWidget('input', 'b', { onValidate: 'return Promise.resolve()' }),
        aButton('f.executeDataSource("d")'),
      ],
      { dataSources: [aSource] },
      { server: () => new Promise<Json>(() => {}) },
    )
    await engine.event('go', 'click')

    expect(await engine.validate()).toEqual([])
  })

  it.each([
    ['its callback is never called', 'if (value === "never") callback()'],
    ['its promise never comes', 'return new Promise(function () {})'],
  ])('is a fault of the field if %s, and is reported to the author', async (_, onValidate) => {
    const opened = open([aWidget('input', 'a', { onValidate }), aButton(VALIDATE)])

    await opened.engine.event('go', 'click')

    await expect.poll(() => checked(opened)).toEqual([false])
    expect(opened.engine.node('a').error).toBe('rule.scriptFailed')
    expect(opened.reports).toMatchObject([{ hook: 'onValidate', key: 'a', code: 'SCRIPT_ERROR' }])
    expect(opened.reports[0]?.message).toContain('callback')
  })

  it('rejects getFormData of a script that would wait forever', async () => {
    const { engine, told } = open([
      aWidget('input', 'a', { onValidate: 'if (false) callback()' }),
      aButton('f.getFormData().then(null, function (why) { f.$emit("why", why) })'),
    ])

    await engine.event('go', 'click')

    await expect.poll(() => told).toContainEqual(['why', 'form.invalid'])
  })

  it('is awaited for five seconds if it may depend on something that is running', async () => {
    const { engine, world, reports } = open(
      [
        aWidget('input', 'a', {
          onValidate: 'this.executeDataSource("d").then(function () { callback() })',
        }),
      ],
      { dataSources: [aSource] },
      { server: () => new Promise<Json>(() => {}) },
    )
    let faults: readonly JsonObject[] | undefined
    const checking = engine.validate().then((found) => {
      faults = found.map(({ address, message }) => ({ address, message }))
    })
    await expect.poll(() => world.requests.length).toBe(1)

    await world.pass(4_999)
    expect(faults).toBeUndefined()
    await world.pass(1)
    await checking

    expect(faults).toEqual([{ address: 'a', message: 'rule.scriptFailed' }])
    expect(reports).toMatchObject([
      { hook: 'onValidate', key: 'a', code: 'SCRIPT_ERROR', message: expect.stringContaining('5 s') },
    ])
  })

  it('that waits for the check of another field is answered after that check', async () => {
    const opened = open([
      aWidget('input', 'a', {
        onValidate:
          'this.getFormRef().validateField("b").then(function (ok) { callback(ok ? undefined : new Error("b")) })',
      }),
      aWidget('input', 'b', { onValidate: 'if (false) callback()' }),
      aButton(VALIDATE),
    ])

    await opened.engine.event('go', 'click')

    await expect.poll(() => checked(opened)).toEqual([false])
    expect([opened.engine.node('a').error, opened.engine.node('b').error]).toEqual(['b', 'rule.scriptFailed'])
  })

  it('because it checks itself is aborted, and the next hook runs', { timeout: 20_000 }, async () => {
    const opened = open([
      aWidget('input', 'a', { onValidate: 'this.getFormRef().validateForm(callback)' }),
      aButton(`${VALIDATE}; f.setFieldValue("b", "alive")`),
      aWidget('input', 'b'),
    ])

    await opened.engine.event('go', 'click')

    await expect.poll(() => checked(opened), { timeout: 15_000 }).toEqual([false])
    expect(opened.engine.node('b').value).toBe('alive')
    expect(opened.reports).toMatchObject([{ hook: 'onValidate', key: 'a', code: 'SCRIPT_ERROR' }])
  })
})

it('fails the source of a data handler whose promise never settles, for a waiting script too', async () => {
  const { engine, told, reports } = open(
    [
      aButton('f.executeDataSource("d").catch(function (error) { f.$emit("lost", error.message) })'),
      aWidget('input', 'c'),
    ],
    { dataSources: [{ ...aSource, dataHandlerCode: 'return new Promise(function () {})' }] },
  )

  await engine.event('go', 'click')

  await expect.poll(() => told).toContainEqual(['lost', 'data.scriptFailed'])
  expect(reports).toMatchObject([{ hook: 'dataHandlerCode', key: 'd', code: 'SCRIPT_ERROR' }])
})

const aSource = {
  uniqueName: 'd',
  requestURL: '/d',
  params: [{ name: 'c', type: 'Variable', value: 'form.c' }],
}
