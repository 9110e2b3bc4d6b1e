import { expect, it } from 'vitest'
import { addLayer, layers } from '../../../runtime/react/layers/layers.ts'

it('the layer opened last is topmost, and Back closes it', () => {
  const closed: string[] = []
  const sheet = addLayer(() => closed.push('sheet'))
  const wheels = addLayer(() => closed.push('wheels'))

  expect([sheet.isTop(), wheels.isTop()]).toEqual([false, true])
  expect(layers.closeTop()).toBe(true)
  wheels.remove()
  expect(sheet.isTop()).toBe(true)
  layers.closeTop()
  sheet.remove()

  expect(closed).toEqual(['wheels', 'sheet'])
  expect(layers.closeTop()).toBe(false)
})
