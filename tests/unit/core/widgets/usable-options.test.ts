import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { checkField } from '../../../../runtime/core/rules/check-field.ts'
import { scaleOf } from '../../../../runtime/core/widgets/scale.ts'
import { aPage, aWidget } from '../../../support/a-page.ts'

const nodeOf = (type: string, options: JsonObject) => {
  const node = aPage([aWidget(type, 'f', options)]).nodes.get('f')
  if (node === undefined) throw new Error('the field is not there')
  return node
}
describe('a scale', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { min: 10, max: 5 },
      { min: 5, max: 10, step: 1 },
    ],
    [
      { min: '10', max: '5', step: '0' },
      { min: 5, max: 10, step: 1 },
    ],
    [{ step: 0 }, { min: 0, max: 100, step: 1 }],
    [
      { step: -5, range: true },
      { min: 0, max: 1000, step: 50 },
    ],
    [{ min: 200 }, { min: 200, max: 300, step: 1 }],
    [{ max: -5 }, { min: -105, max: -5, step: 1 }],
    [
      { min: 5, max: null },
      { min: 5, max: 100, step: 1 },
    ],
    [
      { min: 3, max: 3 },
      { min: 3, max: 3, step: 1 },
    ],
  ])('of a slider with %j is %j', (options, scale) => {
    expect(scaleOf(nodeOf('slider', options).options)).toEqual(scale)
  })

  it.each([['stepper'], ['number'], ['slider']])(
    'of a %s has its bounds in order, and is checked so',
    (type) => {
      const { options } = nodeOf(type, { min: 10, max: 5, step: 0 })
      const check = (value: number) =>
        checkField({ label: 'f', options, required: false, value }, (code) => code)

      expect(options).toMatchObject({ min: 5, max: 10, step: type === 'slider' ? null : 1 })
      expect([4, 5, 7, 10, 11].map(check)).toEqual(['rule.minimum', null, null, null, 'rule.maximum'])
    },
  )

  it('is not what the entries of a choice are counted by: there 0 is no bound', () => {
    expect(nodeOf('checkbox', { min: 1, max: 0 }).options).toMatchObject({ min: 1, max: 0 })
  })
})
