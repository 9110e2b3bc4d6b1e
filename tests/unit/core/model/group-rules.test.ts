import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { checkReads } from '../../../../runtime/core/model/check-reads.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const IS_GOLD: Json = { '==': [{ var: 'form.level' }, 'gold'] }
const inGroup = (name: string, rules: JsonObject, ...widgets: readonly JsonObject[]): JsonObject => ({
  type: 'cell-group',
  options: { name, ...rules },
  widgetList: [...widgets],
})
const open = (...widgets: readonly JsonObject[]) => {
  const page = aPage([aWidget('input', 'level'), ...widgets])
  return createEngine({ page, registry, ports: memoryWorld().ports })
}
const wrong = async (engine: ReturnType<typeof open>) =>
  (await engine.validate()).map(({ address }) => address)

describe('a rule of a group', () => {
  it('requires each field in the group while it is true', async () => {
    const inner = inGroup('inner', {}, aWidget('input', 'note'))
    const engine = open(inGroup('g', { requiredOn: IS_GOLD }, aWidget('input', 'day'), inner))

    expect(await wrong(engine)).toEqual([])
    expect(engine.node('day').required).toBe(false)

    engine.change('level', 'gold')
    expect(engine.node('day').required).toBe(true)
    expect(await wrong(engine)).toEqual(['day', 'note'])

    engine.change('level', 'silver')
    expect(await wrong(engine)).toEqual([])
  })

  it('requires no field of the group while the group is hidden', async () => {
    const engine = open(inGroup('g', { visibleOn: IS_GOLD }, aWidget('input', 'day', { required: true })))

    expect(await wrong(engine)).toEqual([])
    engine.change('level', 'gold')
    expect(await wrong(engine)).toEqual(['day'])
  })

  it('counts as read by the check, so that the server applies it', () => {
    const rule = { '!!': { var: 'data.limit' } }
    const page = aPage([inGroup('g', { requiredOn: rule }, aWidget('input', 'day'))])

    expect([...checkReads(page).data.keys()]).toEqual(['limit'])
  })
})
