import { afterEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../../../runtime/core/engine/uploads.ts'
import type { Engine } from '../../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { aPage, aSubForm, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'
import { aScriptedEngine } from '../../../support/scripted-engine.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)
const engines: Engine[] = []
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose()
})
const keep = (engine: Engine): Engine => {
  engines.push(engine)
  return engine
}
const open = (widgets: readonly JsonObject[]) => {
  const told: Json[] = []
  const engine = keep(createEngine({ page: aPage(widgets), registry, ports: memoryWorld().ports }))
  engine.onEmit((name, args) => {
    if (name === 'formChange') told.push(args.slice(0, 3))
  })
  return { engine, told }
}

describe('leaving a field', () => {
  it('removes added blanks, which then count as no change', () => {
    const { engine, told } = open([aWidget('input', 'a', { defaultValue: 'ab', trim: true })])

    engine.focus('a')
    engine.input('a', 'ab ')
    engine.change('a', 'ab')
    engine.blur('a')

    expect(engine.node('a').value).toBe('ab')
    expect(told).toEqual([])
  })

  it('counts a choice that was made before, and replaced since, as a change', () => {
    const { engine, told } = open([aWidget('select', 'a')])

    engine.change('a', 1)
    engine.setValues({ a: 2 })
    engine.change('a', 1)

    expect(told).toEqual([
      ['a', 1, null],
      ['a', 1, 2],
    ])
  })
})

describe('a form that is reset', () => {
  it('forgets messages, failed uploads and uncommitted input, including those in rows', async () => {
    const { engine, told } = open([
      aWidget('input', 'a', { required: true, defaultValue: 'd' }),
      aWidget('file-upload', 'f', { fileTypes: [], limit: 9 }),
      aSubForm('s', [aWidget('input', 'x', { required: true })]),
    ])
    engine.input('a', '')
    await engine.validate()
    await uploadsOf(engine).add('f', [{ name: 'x', size: 1, type: '', handle: null }])
    const before = [engine.node('a').error, engine.node('f').options.uploads]

    engine.reset()

    expect(before).toMatchObject([expect.any(String), [{ status: 'error' }]])
    expect(engine.node('a')).toMatchObject({ value: 'd', error: null })
    expect(engine.node('f').options.uploads).toEqual([])
    expect(engine.node(engine.find('s.0.x') ?? '').error).toBeNull()
    engine.change('a', '')
    expect(told.at(-1)).toEqual(['a', '', 'd'])
  })

  it('also forgets them if a script resets it', async () => {
    const { engine } = aScriptedEngine(script, [
      aWidget('input', 'a', { required: true }),
      aWidget('file-upload', 'f', { fileTypes: [], limit: 9 }),
      aWidget('button', 'go', { onClick: 'this.getFormRef().resetForm(); this.setLabel("done")' }),
    ])
    keep(engine)
    await engine.validate()
    await uploadsOf(engine).add('f', [{ name: 'x', size: 1, type: '', handle: null }])

    await engine.event('go', 'click')
    await expect.poll(() => engine.node('go').label).toBe('done')

    expect(engine.node('a').error).toBeNull()
    expect(engine.node('f').options.uploads).toEqual([])
  })
})

it('checks a field when it is left, if the field has no checks on change', async () => {
  const { engine } = aScriptedEngine(script, [
    aWidget('input', 'a', { required: true, defaultValue: 'x', onMounted: 'this.disableChangeValidate()' }),
    aWidget('button', 'on', { onClick: 'this.getWidgetRef("a").enableChangeValidate()' }),
  ])
  keep(engine)
  await expect.poll(() => engine.node('a').options.changeValidateDisabled).toBe(true)

  engine.change('a', '')
  await Promise.resolve()
  const changed = engine.node('a').error
  engine.blur('a')
  await expect.poll(() => engine.node('a').error).not.toBeNull()
  engine.change('a', 'y')
  const stands = engine.node('a').error
  await engine.event('on', 'click')
  await expect.poll(() => engine.node('a').options.changeValidateDisabled).toBe(false)
  engine.change('a', 'z')

  expect(changed).toBeNull()
  expect(stands).not.toBeNull()
  expect(engine.node('a').error).toBeNull()
})

describe('a container that is disabled', () => {
  it.each([
    ['cell-group', 'group'],
    ['grid', 'group'],
    ['grid', 'grid-col1'],
    ['tab', 'group'],
    ['sheet', 'group'],
  ])('disables its contents at any depth: %s, by its part %s', async (type, name) => {
    const inner = aWidget('input', 'a')
    const { engine } = aScriptedEngine(script, [
      containerOf(type, inner),
      aWidget('button', 'go', {
        onClick: `this.getWidgetRef("${name}").setDisabled(); this.setLabel("1")`,
      }),
      aWidget('button', 'back', {
        onClick: `this.getFormRef().enableWidgets("${name}"); this.setLabel("2")`,
      }),
    ])
    keep(engine)
    const before = engine.node('a').disabled

    await engine.event('go', 'click')
    await expect.poll(() => engine.node('go').label).toBe('1')
    const during = engine.node('a').disabled
    await engine.event('back', 'click')
    await expect.poll(() => engine.node('back').label).toBe('2')

    expect([before, during, engine.node('a').disabled]).toEqual([false, true, false])
  })

  it('disables its contents by a rule as well', () => {
    const { engine } = open([
      aWidget('switch', 'lock'),
      aWidget(
        'cell-group',
        'group',
        { disabledOn: { var: 'form.lock' } },
        { category: 'container', widgetList: [aWidget('input', 'a')] },
      ),
    ])
    const before = engine.node('a').disabled

    engine.change('lock', true)

    expect([before, engine.node('a').disabled]).toEqual([false, true])
  })
})

function containerOf(type: string, inner: JsonObject): JsonObject {
  const part = (name: string): JsonObject => ({
    type: name,
    category: 'container',
    internal: true,
    options: { name: `${name}1` },
    widgetList: [inner],
  })
  const below =
    type === 'grid'
      ? { cols: [part('grid-col')] }
      : type === 'tab'
        ? { tabs: [part('tab-pane')] }
        : { widgetList: [inner] }
  return aWidget(type, 'group', {}, { category: 'container', ...below })
}
