import { createBrowserScript } from '../../../runtime/sandbox/browser-script.ts'
import { aPage, aWidget } from '../../support/a-page.ts'
import { type HostileEnd, runHostile } from '../../support/hostile-page.ts'
import { HOSTILE_SCRIPTS, type HostileScript } from '../../support/hostile-scripts.ts'
import { openScriptedPage } from '../../support/script-page.ts'

/** Frame times of the page while a script ran. */
export interface HostileRun extends HostileEnd {
  readonly frames: number
  readonly spanMs: number
  /** Longest time between two frames. */
  readonly gapMs: number
}

declare global {
  interface Window {
    hostile: {
      run(index: number): Promise<HostileRun>
      /** Frames per second of an idle page. */
      idle(ms: number): Promise<number>
      /** Milliseconds until the engine of a fresh page is running, and those of its first hooks; the first one includes the warm-up. */
      first(
        hooks: number,
      ): Promise<{ readonly times: readonly number[]; readonly reports: readonly string[] }>
    }
  }
}

const script = createBrowserScript(() => new Worker('/worker.js'))
const open: Parameters<typeof runHostile>[1] = (options) => openScriptedPage({ script, ...options })

/** Counts frames while `task` runs. */
async function counting<T>(
  task: () => Promise<T>,
): Promise<T & { frames: number; spanMs: number; gapMs: number }> {
  const times = [performance.now()]
  let going = true
  const tick = (now: number): void => {
    times.push(now)
    if (going) requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  const began = performance.now()
  const result = await task()
  const spanMs = performance.now() - began
  going = false
  const gaps = times.slice(2).map((time, i) => time - (times[i + 1] ?? time))
  return { ...result, frames: times.length - 1, spanMs, gapMs: Math.max(0, ...gaps) }
}

window.hostile = {
  run: (index) => counting(() => runHostile(HOSTILE_SCRIPTS[index] as HostileScript, open)),
  async idle(ms) {
    const { frames, spanMs } = await counting(
      () => new Promise<object>((resolve) => setTimeout(() => resolve({}), ms)),
    )
    return (frames / spanMs) * 1000
  },
  async first(hooks) {
    const page = openScriptedPage({
      script,
      page: aPage([
        aWidget('input', 'a', {
          onInput:
            'var t = this.getWidgetRef("b"); t.setValue(String(value).replace(/[^0-9]+/g, "") + new Date().toLocaleDateString() + JSON.stringify({ list: [3, 1, 2].sort() })); t.setLabel("x")',
        }),
        aWidget('input', 'b'),
      ]),
    })
    const opened = performance.now()
    await page.session.settled()
    const times = [performance.now() - opened]
    for (let i = 0; i < hooks; i += 1) {
      const began = performance.now()
      await page.fire('onInput', 'a', `x${i}`)
      times.push(performance.now() - began)
    }
    const reports = page.reports.map(({ code, message }) => `${code} ${message}`)
    page.session.dispose()
    return { times, reports }
  },
}
