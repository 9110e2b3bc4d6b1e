import { afterEach, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { ScriptReport } from '../../runtime/core/ports.ts'
import { optionCell, valueCell } from '../../runtime/core/state/cells.ts'
import { aPage, aSubForm, aWidget } from '../support/a-page.ts'
import type { OpenScripted, ScriptedPage } from '../support/script-page.ts'

interface Implementation {
  readonly name: string
  readonly open: OpenScripted
  /** Has a worker that can be terminated inside native code. */
  readonly terminates: boolean
}

/** Tolerance beyond budget and watchdog for a report on a busy machine; `hostile.test.ts` measures precisely. */
const MARGIN_MS = 500

/** Requirements of every implementation of the Script port (HOOKS 1.1). */
export function scriptPortContract({ name, open, terminates }: Implementation): void {
  const opened: ScriptedPage[] = []
  const aScripted = async (
    widgets: readonly JsonObject[],
    config: JsonObject = {},
    more: Omit<Parameters<OpenScripted>[0], 'page'> = {},
  ) => {
    const scripted = await open({ page: aPage(widgets, config), ...more })
    opened.push(scripted)
    return scripted
  }
  afterEach(() => {
    for (const { session } of opened.splice(0)) session.dispose()
  })

  describe(`${name}: hooks and state`, () => {
    it('shows a script its own write at once and passes it to the page', async () => {
      const page = await aScripted([
        aWidget('input', 'a', {
          onClick: 'var b = this.getWidgetRef("b"); b.setValue("x"); this.setValue(b.getValue() + "!")',
        }),
        aWidget('input', 'b'),
      ])

      await page.fire('onClick', 'a')

      expect(page.reports).toEqual([])
      expect(page.model.form).toMatchObject({ a: 'x!', b: 'x' })
    })

    it('fires the hooks of a turn in order, each with the writes of the previous one', async () => {
      const log = (mark: string) =>
        `this.getFormRef().setFieldValue("log", this.getFormRef().getFieldValue("log") + "${mark}", true)`
      const page = await aScripted(
        [aWidget('input', 'a', { onChange: log('1') }), aWidget('input', 'log', { defaultValue: '' })],
        { onFormDataChange: log('2') },
      )

      page.act(
        [{ cell: valueCell('a'), value: 'v' }],
        { hook: 'onChange', key: 'a', args: ['v', null] },
        { hook: 'onFormDataChange', key: '', args: ['a', 'v', null, null, '', -1] },
      )
      await page.session.settled()

      expect(page.model.form.log).toBe('12')
    })

    it('runs change hooks inside the write that causes them', async () => {
      const page = await aScripted(
        [
          aWidget('input', 'a', { onClick: 'this.getWidgetRef("b").setValue("new"); console.log("after")' }),
          aWidget('input', 'b', {
            onChange: 'console.log("onChange", value, oldValue)',
            defaultValue: 'old',
          }),
        ],
        {
          onFormDataChange:
            'console.log(fieldName, newValue, oldValue, formModel.b, subFormName, subFormRowIndex)',
        },
      )

      await page.fire('onClick', 'a')

      expect(page.effects.map(({ args }) => args[1])).toEqual([
        'onChange new old',
        'b new old new  -1',
        'after',
      ])
    })

    it('lets functions define what hooks call, and keeps host variables for the session', async () => {
      const page = await aScripted(
        [
          aWidget('button', 'b', {
            onClick: 'var v = this.getGlobalDsv(); v.n = twice(v.n); this.getWidgetRef("f").setValue(v.n)',
          }),
          aWidget('number', 'f'),
        ],
        { functions: 'function twice(n) { return 2 * n }' },
        { variables: { n: 4 } },
      )

      await page.fire('onClick', 'b')
      await page.fire('onClick', 'b')

      expect(page.model.form.f).toBe(16)
    })

    it('writes options, rows and errors as cells', async () => {
      const page = await aScripted([
        aWidget('input', 'a', {
          onClick:
            'this.setHidden(); this.setRequired(true); this.getFormRef().disableWidgets("b"); this.getWidgetRef("s").addSubFormRow()',
        }),
        aWidget('input', 'b'),
        aSubForm('s', [aWidget('input', 'x', { defaultValue: 'd' })], { showBlankRow: false }),
      ])

      await page.fire('onClick', 'a')

      expect(page.reports).toEqual([])
      expect(page.model.node('a')).toMatchObject({ hidden: true, required: true })
      expect(page.model.node('b').disabled).toBe(true)
      expect(page.model.form.s).toEqual([{ x: 'd' }])
    })

    it('passes row hooks their row', async () => {
      const page = await aScripted([
        aSubForm('s', [
          aWidget('number', 'n', {
            onChange:
              'this.getWidgetRef("out").setValue([value, oldValue, subFormData.length, rowId === this.subFormRowId, this.subFormRowIndex].join())',
          }),
        ]),
        aWidget('input', 'out'),
      ])
      const id = page.model.rowIds('s')[0] ?? ''

      await page.fire('onChange', `n@row${id}`, 5, null, null, id)

      expect(page.reports).toEqual([])
      expect(page.model.form.out).toBe('5,,1,true,0')
    })

    it('reports effects: toasts and emitted events', async () => {
      const page = await aScripted([
        aWidget('button', 'b', {
          onClick:
            'this.$message.success("好"); this.$message({ message: "坏", type: "error" }); this.$emit("go", 1)',
        }),
      ])

      await page.fire('onClick', 'b')

      expect(page.effects).toEqual([
        { name: 'toast', args: ['好', 'success', 2_000] },
        { name: 'toast', args: ['坏', 'error', 2_000] },
        { name: 'emit', args: ['go', [1]] },
      ])
    })

    it('awaits data sources and writes until they answer', async () => {
      const page = await aScripted(
        [
          aWidget('button', 'b', {
            onClick:
              'var f = this.getFormRef(); f.executeDataSource("d", { q: 1 }).then(function (r) { f.setFieldValue("a", r.name) }, function (e) { f.setFieldValue("a", e.message) })',
          }),
          aWidget('input', 'a'),
        ],
        {},
        {
          onRequest: async (name, args) => {
            if (page.batches.length > 0) throw new Error('断了')
            return { name: `${name} ${JSON.stringify(args)}` }
          },
        },
      )

      await page.fire('onClick', 'b')
      const first = page.model.form.a
      await page.fire('onClick', 'b')

      expect(first).toBe('executeDataSource ["d",{"q":1}]')
      expect(page.model.form.a).toBe('断了')
    })

    it('keeps input of the user during a run', async () => {
      const page = await aScripted([
        aWidget('input', 'a', {
          onClick: 'this.setValue("script"); this.getWidgetRef("b").setValue("script")',
          onValidate: 'return this.getValue()',
        }),
        aWidget('input', 'b'),
      ])

      page.act([], { hook: 'onClick', key: 'a', args: [] })
      page.act([{ cell: valueCell('a'), value: 'user' }])
      await page.session.settled()

      expect(page.model.form).toMatchObject({ a: 'user', b: 'script' })
      expect(await page.session.ask({ hook: 'onValidate', key: 'a', args: [{}, null] })).toMatchObject({
        value: 'user',
      })
    })

    it('isolates an exception: the writes before it stay, the next hook runs', async () => {
      const page = await aScripted([
        aWidget('input', 'a', { onFocus: 'this.setValue("before")\nnull.x', onBlur: 'this.setLabel("后")' }),
      ])

      page.act([], { hook: 'onFocus', key: 'a', args: [{}] }, { hook: 'onBlur', key: 'a', args: [{}] })
      await page.session.settled()

      expect(page.model.form.a).toBe('before')
      expect(page.model.read(optionCell('a', 'label'))).toBe('后')
      expect(page.reports).toMatchObject([
        { hook: 'onFocus', key: 'a', code: 'SCRIPT_ERROR', line: 2, stopped: false },
      ])
    })
  })

  describe(`${name}: answers`, () => {
    it.each([
      ['callback()', true],
      ['callback(new Error("错"))', '错'],
      ['callback("错")', '错'],
      ['return true', true],
      ['return false', false],
      ['return "不行"', '不行'],
      ['return value === 7 ? "七" : rule.field', '七'],
      ['', null],
      ['var never = 1', null],
      ['return new Promise(function (done) { done("later") })', 'later'],
    ])('uses the result of onValidate code %j', async (code, verdict) => {
      const page = await aScripted([aWidget('number', 'a', { onValidate: code, onClick: ';' })])

      const answer = await page.session.ask({ hook: 'onValidate', key: 'a', args: [{ field: 'a' }, 7] })

      expect(answer).toEqual({ ok: true, value: verdict })
    })

    it('runs data handlers without this, with their parameters', async () => {
      const page = await aScripted([aWidget('input', 'a', { defaultValue: 'A' })], {
        dataSources: [
          {
            uniqueName: 'd',
            requestURL: '/x',
            dataHandlerCode:
              'return [this === null || this === globalThis, result.data.length, isSandbox, DSV.k, VFR.getFieldValue("a")]',
          },
        ],
      })

      const answer = await page.session.ask({
        hook: 'dataHandlerCode',
        key: 'd',
        args: [{ data: [1, 2] }, false, { k: 'v' }],
      })

      expect(answer).toEqual({ ok: true, value: [true, 2, false, 'v', 'A'] })
    })

    it('fails for code that can never answer, and notifies the author', async () => {
      const page = await aScripted([aWidget('input', 'a', { onValidate: 'if (value) callback()' })])

      const answer = await page.session.ask({ hook: 'onValidate', key: 'a', args: [{}, ''] })

      expect(answer).toMatchObject({ ok: false, error: { code: 'SCRIPT_ERROR' } })
      expect(page.reports).toMatchObject([{ hook: 'onValidate', key: 'a', stopped: false }])
    })

    it('passes on the writes before a request, the request, and the writes after it, in this order', async () => {
      const seen: Json[] = []
      const page = await aScripted(
        [
          aWidget('input', 'a', {
            onClick:
              'this.setValue(1); this.executeDataSource("d"); this.setValue(2); this.executeDataSource("d")',
          }),
        ],
        {},
        {
          onRequest: async () => {
            seen.push(page.model.form.a ?? null)
            return null
          },
        },
      )

      await page.fire('onClick', 'a')

      expect(seen).toEqual(['1', '2'])
    })

    it('answers a failed run as a failure', async () => {
      const page = await aScripted([aWidget('input', 'a', { onValidate: 'throw new Error("x")' })])

      expect(await page.session.ask({ hook: 'onValidate', key: 'a', args: [{}, 1] })).toMatchObject({
        ok: false,
        error: { code: 'SCRIPT_ERROR' },
      })
    })
  })

  describe(`${name}: limits`, () => {
    const interruptible: readonly [string, ScriptReport['code'], string][] = [
      ['an endless loop', 'SCRIPT_BUDGET', 'for (;;) {}'],
      ['an endless loop that catches', 'SCRIPT_BUDGET', 'for (;;) try { for (;;) {} } catch (e) {}'],
      ['a catastrophic pattern', 'SCRIPT_BUDGET', '/^(a+)+$/.test("a".repeat(40) + "b")'],
      ['a promise storm', 'SCRIPT_BUDGET', '(function again() { Promise.resolve().then(again) })()'],
      ['deep recursion', 'SCRIPT_MEMORY', '(function down() { down() })()'],
      ['a memory bomb', 'SCRIPT_MEMORY', 'var all = []; for (;;) all.push(new ArrayBuffer(1e6))'],
      [
        'out of memory in a promise',
        'SCRIPT_MEMORY',
        'globalThis.all = []; Promise.resolve().then(function () { for (;;) all.push(new ArrayBuffer(1e5)) })',
      ],
      ['a million host calls', 'SCRIPT_CALLS', 'for (var i = 0; i < 1e6; i++) this.getValue()'],
      ['a cascade that feeds itself', 'SCRIPT_CASCADE', 'this.getWidgetRef("loop").setValue(1)'],
      ['a result too large', 'SCRIPT_RESULT', 'this.setValue("x".repeat(1e5))'],
    ]
    const native: readonly [string, ScriptReport['code'], string][] = [
      [
        'a loop in a native string search',
        'SCRIPT_BUDGET',
        'var s = "a".repeat(2e6), t = "a".repeat(1e6) + "b"; for (;;) s.indexOf(t)',
      ],
      [
        'a huge sort',
        'SCRIPT_BUDGET',
        'var a = []; for (var i = 0; i < 1e5; i++) a.push((i * 7919) % 100003); for (;;) a.slice().sort()',
      ],
    ]
    it.each(terminates ? [...interruptible, ...native] : interruptible)(
      'ends %s, drops its writes, and runs a healthy hook afterwards',
      async (_, code, hostile) => {
        // Low limits, so that on a busy machine calls, memory and stack run out before the time does.
        const small = code === 'SCRIPT_MEMORY' ? { memoryBytes: 4 << 20, stackBytes: 64 << 10 } : {}
        const limits = { hostCalls: 100, ...small }
        const page = await aScripted(
          [
            aWidget('input', 'a', {
              onClick: `this.getWidgetRef("b").setValue("half");\n${hostile}`,
              onBlur: 'this.setValue("healthy")',
            }),
            aWidget('input', 'b'),
            aWidget('number', 'loop', { onChange: 'this.setValue(value + 1)' }),
          ],
          {},
          { limits },
        )
        await page.fire('onFocus', 'a') // the engine is running

        const began = performance.now()
        page.act([], { hook: 'onClick', key: 'a', args: [] })
        const report = await firstReport(page)
        const took = performance.now() - began
        await page.fire('onBlur', 'a')

        expect(report.code).toBe(code)
        expect(took).toBeLessThan(200 + MARGIN_MS)
        expect(page.model.form).toMatchObject({ a: 'healthy', b: null })
      },
    )

    it('survives deep JSON, whether it overflows the engine or is only invalid', async () => {
      const page = await aScripted([
        aWidget('input', 'a', {
          onClick: 'JSON.parse("[".repeat(100000))',
          onBlur: 'this.setValue("healthy")',
        }),
      ])

      page.act([], { hook: 'onClick', key: 'a', args: [] })
      const report = await firstReport(page)
      await page.fire('onBlur', 'a')

      expect(['SCRIPT_MEMORY', 'SCRIPT_ERROR']).toContain(report.code)
      expect(page.model.form.a).toBe('healthy')
    })

    it('answers a call whose run hangs, and the next call', async () => {
      const page = await aScripted([
        aWidget('input', 'a', { onValidate: 'for (;;) {}', onClick: ';' }),
        aWidget('input', 'b', { onValidate: 'return "fine"' }),
      ])

      const hung = page.session.ask({ hook: 'onValidate', key: 'a', args: [{}, 1] })
      const next = page.session.ask({ hook: 'onValidate', key: 'b', args: [{}, 1] })

      expect(await hung).toMatchObject({ ok: false, error: { code: 'SCRIPT_BUDGET' } })
      expect(await next).toEqual({ ok: true, value: 'fine' })
    })

    it('stops a hook after three strikes, and only that hook', async () => {
      const page = await aScripted([
        aWidget('input', 'a', { onClick: 'for (;;) {}', onBlur: 'this.setValue("alive")' }),
      ])

      for (let i = 0; i < 5; i++) await page.fire('onClick', 'a')
      await page.fire('onBlur', 'a')

      expect(page.reports.map((report) => report.code)).toEqual([
        'SCRIPT_BUDGET',
        'SCRIPT_BUDGET',
        'SCRIPT_BUDGET',
        'SCRIPT_STOPPED',
      ])
      expect(page.reports.map((report) => report.stopped)).toEqual([false, false, true, true])
      expect(page.model.form.a).toBe('alive')
    })

    it('lets a page lower its limits', async () => {
      const page = await aScripted(
        [aWidget('input', 'a', { onClick: 'for (var i = 0; i < 20; i++) this.getValue()' })],
        {},
        { limits: { hostCalls: 10 } },
      )

      await page.fire('onClick', 'a')

      expect(page.reports).toMatchObject([{ code: 'SCRIPT_CALLS' }])
    })
  })

  if (terminates) {
    it(`${name}: after a termination the queue continues at its position, with the page's state`, async () => {
      const page = await aScripted([
        aWidget('input', 'a', {
          onClick: 'var s = "a".repeat(2e6), t = "a".repeat(1e6) + "b"; for (;;) s.indexOf(t)',
          onBlur: 'this.setValue(this.getWidgetRef("b").getValue() + " seen")',
        }),
        aWidget('input', 'b'),
      ])

      page.act([], { hook: 'onClick', key: 'a', args: [] })
      page.act([{ cell: valueCell('b'), value: 'typed' }], { hook: 'onBlur', key: 'a', args: [{}] })
      await page.session.settled()

      expect(page.model.form).toMatchObject({ a: 'typed seen', b: 'typed' })
      expect(page.reports).toMatchObject([{ hook: 'onClick', code: 'SCRIPT_BUDGET' }])
    })
  }
}

const firstReport = (page: ScriptedPage): Promise<ScriptReport> =>
  new Promise((resolve) => {
    const look = (): void => {
      const report = page.reports[0]
      if (report) resolve(report)
      else setTimeout(look, 2)
    }
    look()
  })
