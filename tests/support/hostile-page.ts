import type { ScriptReport } from '../../runtime/core/ports.ts'
import { aPage, aSubForm, aWidget } from './a-page.ts'
import type { HostileScript } from './hostile-scripts.ts'
import type { OpenScripted } from './script-page.ts'

/** The outcome of one hostile script. */
export interface HostileEnd {
  /** Milliseconds from the act (or the opening, for `functions`) to the report, or to its harmless end. */
  readonly tookMs: number
  readonly codes: readonly (ScriptReport['code'] | 'none')[]
  /** The result of a harmless hook of the same page afterwards: `healthy`. */
  readonly after: unknown
  /** What the script wrote before it was stopped: nothing, unless it ended by itself. */
  readonly half: unknown
}

const HEALTHY: ReadonlySet<string> = new Set(['onFocus', 'onBlur'])

/** Runs one hostile script on a page of its own, then a harmless hook. */
export async function runHostile(script: HostileScript, open: OpenScripted): Promise<HostileEnd> {
  const page = await open({
    page: aPage(
      [
        aWidget('input', 'a', {
          onClick: `this.getWidgetRef("b").setValue("half");\n${script.code}`,
          onFocus: 'this.getValue()',
          onBlur:
            'this.setValue([[1, 2].map(function (n) { return n * 2 }).join(), typeof JSON.parse, ({}).polluted, typeof console.log].join(" ") === "2,4 function  function" ? "healthy" : "damaged")',
        }),
        aWidget('input', 'b'),
        aWidget('number', 'loop', { onChange: 'this.setValue(value + 1)' }),
        aWidget('number', 'ping', { onChange: 'this.getWidgetRef("pong").setValue(value + 1)' }),
        aWidget('number', 'pong', { onChange: 'this.getWidgetRef("ping").setValue(value + 1)' }),
        aSubForm('s', [aWidget('input', 'x')], {
          showBlankRow: false,
          onSubFormRowChange: 'this.addSubFormRow()',
        }),
      ],
      script.functions === undefined ? {} : { functions: script.functions },
    ),
  })
  const now = (): number => performance.now()
  if (script.functions === undefined) await page.fire('onFocus', 'a', {}) // the engine is running
  const began = now()
  page.act([], { hook: 'onClick', key: 'a', args: [] })
  await Promise.race([firstReport(page), page.session.settled()])
  const tookMs = now() - began
  await page.session.settled()
  const half = page.model.form.b
  await page.fire('onBlur', 'a', {})
  const after = page.model.form.a
  // On a busy machine a harmless hook may exceed its time; it is repeated, and not measured.
  const codes = page.reports
    .filter(({ hook, code }) => !HEALTHY.has(hook) && code !== 'SCRIPT_STOPPED')
    .map(({ code }) => code)
  page.session.dispose()
  return { tookMs, codes: codes.length > 0 ? codes : ['none'], after, half }
}

const firstReport = (page: { readonly reports: readonly unknown[] }): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (page.reports.length > 0) resolve()
      else setTimeout(look, 1)
    }
    look()
  })
