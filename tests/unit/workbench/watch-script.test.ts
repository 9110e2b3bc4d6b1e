import { expect, it } from 'vitest'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import type { Run } from '../../../src/workbench/canvas/watch-script.ts'
import { watchScript } from '../../../src/workbench/canvas/watch-script.ts'
import { aWidget } from '../../support/a-page.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { aScriptedEngine } from '../../support/scripted-engine.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

/** A page with code, opened at the workbench. */
function watchedPage() {
  const seen: { runs: readonly Run[] } = { runs: [] }
  const watched = watchScript(script, fakeClock(), (runs) => {
    seen.runs = runs
  })
  const { engine } = aScriptedEngine(watched.script, [
    aWidget('input', 'a', {
      onChange:
        'console.log("changed to", value); this.getFormRef().setFieldValue("b", this.getFormRef().getFieldValue("a") + "!")',
    }),
    aWidget('input', 'b', { defaultValue: 'before' }),
    aWidget('button', 'bad', { onClick: 'nowhere.to.be()' }),
  ])
  return { seen, watched, engine }
}

it('each run of the code reports its trigger, its writes with the old values, and its messages', async () => {
  const { seen, engine } = watchedPage()
  engine.change('a', 'x')
  await expect.poll(() => seen.runs[0]?.writes.length).toBe(1)

  expect(seen.runs[0]).toMatchObject({
    hooks: [{ hook: 'onChange', key: 'a' }],
    reads: [{ name: 'form.getFieldValue', args: ['a'], value: 'x' }],
    writes: [{ cell: 'v/b', before: 'before', value: 'x!' }],
    effects: [{ name: 'log', args: ['log', 'changed to x'] }],
    faults: [],
  })
  expect(engine.scope().form).toMatchObject({ a: 'x', b: 'x!' })
  engine.dispose()
})

it('a failed run reports its error', async () => {
  const { seen, engine } = watchedPage()
  void engine.event('bad', 'click')
  await expect.poll(() => seen.runs[0]?.faults.length).toBe(1)

  expect(seen.runs[0]).toMatchObject({
    hooks: [{ hook: 'onClick', key: 'bad' }],
    faults: [{ code: 'SCRIPT_ERROR', message: expect.stringContaining('nowhere') }],
  })
  engine.dispose()
})

it('a hook runs on the current page, and none runs while no code is open', async () => {
  const { seen, watched, engine } = watchedPage()
  expect(watched.run({ hook: 'onChange', key: 'a', args: [] })).toBe(false)
  engine.change('a', 'x')
  await expect.poll(() => engine.scope().form).toMatchObject({ b: 'x!' })

  expect(watched.run({ hook: 'onChange', key: 'a', args: ['y', 'x'] })).toBe(true)
  await expect.poll(() => seen.runs[0]?.reads).toHaveLength(1)
  expect(seen.runs).toHaveLength(2)
  engine.dispose()
  expect(watched.run({ hook: 'onChange', key: 'a', args: [] })).toBe(false)
})
