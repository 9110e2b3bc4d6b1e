import { expect, it } from 'vitest'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { above, nodeAt, remembered, runsAt, runsOf, unseenIn } from '../../../src/workbench/ask/asking.ts'
import { aWidget } from '../../support/a-page.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { aScriptedEngine } from '../../support/scripted-engine.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

const group = {
  type: 'cell-group',
  category: 'container',
  options: { name: 'basic', label: '基本' },
  widgetList: [
    aWidget('input', 'a', { onChange: 'this.getFormRef().setFieldValue("b", value + "!")' }),
    aWidget('input', 'b', { visibleOn: { '==': [{ var: 'form.a' }, 'x'] } }),
    aWidget('input', 'c'),
  ],
}

function aRunningPage() {
  const { engine } = aScriptedEngine(remembered(script, fakeClock()), [group])
  const keyOf = (name: string): string => engine.page.byName.get(name) ?? ''
  return { engine, keyOf }
}

it('the explanation of a widget covers its surroundings, and what users cannot see there', () => {
  const { engine, keyOf } = aRunningPage()

  expect(above(engine, keyOf('b')).map(({ name }) => name)).toEqual(['basic'])
  expect(unseenIn(engine, null)).toEqual([])
  expect(unseenIn(engine, keyOf('basic')).map(({ name }) => name)).toEqual(['b'])
  engine.change(keyOf('a'), 'x')
  expect(unseenIn(engine, keyOf('basic'))).toEqual([])
  engine.dispose()
})

it('a page remembers what its code did since it was opened, by the widget that triggered it or was written', async () => {
  const { engine, keyOf } = aRunningPage()
  const heard: number[] = []
  runsOf(engine).subscribe(() => heard.push(runsOf(engine).get().length))
  engine.change(keyOf('a'), 'x')
  await expect.poll(() => runsOf(engine).get()[0]?.writes.length).toBe(1)

  const at = (name: string) => {
    const node = nodeAt(engine, keyOf(name))
    return node === undefined ? [] : runsAt(runsOf(engine).get(), node)
  }
  expect(at('a')).toHaveLength(1)
  expect(at('b')).toEqual(at('a'))
  expect(at('c')).toEqual([])
  expect(heard.length).toBeGreaterThan(0)
  engine.dispose()
})

it('a page that was opened without recording reports that it remembers nothing', () => {
  const { engine } = aScriptedEngine(script, [group])

  expect(runsOf(engine).get()).toEqual([])
  engine.dispose()
})
