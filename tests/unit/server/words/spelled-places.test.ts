import { describe, expect, it } from 'vitest'
import { spelledPlaces } from '../../../../src/server/kernel/words/spelled-places.ts'

describe('places that a keyword in pinyin begins with', () => {
  it.each([
    ['nanjing', [{ places: ['南京'], rest: '' }]],
    ['nanjingsh', [{ places: ['南京'], rest: '' }]],
    ['nanjingshi', [{ places: ['南京'], rest: '' }]],
    ['nanjingshilanyu', [{ places: ['南京市'], rest: 'lanyu' }]],
    ['nanjinglanyu', [{ places: ['南京'], rest: 'lanyu' }]],
    ['lanyu', []],
    ['nanj', []],
  ])('%s', (letters, expected) => {
    expect(spelledPlaces(letters)).toEqual(expected)
  })

  it('are a province and then a city as well', () => {
    expect(spelledPlaces('jiangsushengnanjingshilanyu')).toContainEqual({
      places: ['江苏省', '南京市'],
      rest: 'lanyu',
    })
  })
})
