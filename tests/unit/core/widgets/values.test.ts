import { describe, expect, it } from 'vitest'
import {
  asFiles,
  asList,
  asNumber,
  asPair,
  colouredItems,
  labelsOf,
  pairText,
  pathLabels,
  shownItem,
} from '../../../../runtime/core/widgets/values.ts'

describe('values', () => {
  it.each([
    ['12.5', 12.5],
    ['99,999.90', 99_999.9],
    ['￥ 1，234，567', 1_234_567],
    ['－１２．５', -12.5],
    ['1,5', null],
    ['5²', null],
    ['¥', null],
    ['', null],
    [' ', null],
    ['12abc', null],
    [7, 7],
    [null, null],
    [true, null],
  ])('parses %j as the number %j', (value, number) => expect(asNumber(value)).toBe(number))

  it('converts single and missing values to a list', () => {
    expect(asList('a')).toEqual(['a'])
    expect(asList(null)).toEqual([])
    expect(asList(0)).toEqual([0])
  })

  it('converts an uploaded address to a record and drops invalid files', () => {
    expect(asFiles('/files/a.png')).toEqual([{ name: 'a.png', url: '/files/a.png' }])
    expect(asFiles([{ name: 'b', url: '/b' }, 3])).toEqual([{ name: 'b', url: '/b' }])
  })

  it('keeps a range only if it has two ends', () => {
    expect(asPair(['2024-01-01', '2024-02-01'])).toEqual(['2024-01-01', '2024-02-01'])
    expect(asPair('2024-01-01')).toBeNull()
    expect(pairText(['2024-01-01', '2024-02-01'], {})).toBe('2024-01-01 ~ 2024-02-01')
  })

  it('shows the item of a number with its own text, else with the text of a dictionary code', () => {
    const text = { label: '文本', value: '1' }
    const number = { label: '数字', value: 1 }

    expect(shownItem(1, [text])).toBe(text)
    expect(shownItem(1, [text, number])).toBe(number)
    expect(shownItem('2', [text])).toBeUndefined()
  })

  it('shows labels strictly by value and unknown values as they are', () => {
    const items = [
      { label: '高', value: 1 },
      { label: '低', value: 2 },
    ]

    expect(labelsOf([1, 2], items)).toBe('高、低')
    expect(labelsOf('1', items)).toBe('1')
    expect(labelsOf(null, items)).toBe('')
  })

  it('are coloured words if a chosen item has a colour', () => {
    const red = { value: 'hot', label: '热', color: '#ff3141' }
    const none = { value: 'cold', label: '冷', color: '' }

    expect(colouredItems('hot', [red, none])).toEqual([red])
    expect(colouredItems(['cold', 'hot', 'gone'], [red, none])).toEqual([
      none,
      red,
      { value: 'gone', label: 'gone' },
    ])
    expect([
      colouredItems('cold', [red, none]),
      colouredItems(null, [red]),
      colouredItems('hot', []),
    ]).toEqual([null, null, null])
  })

  it('follows a cascader’s path level by level', () => {
    const items = [{ label: '浙江', value: 'zj', children: [{ label: '杭州', value: 'hz' }] }]

    expect(pathLabels(['zj', 'hz'], items)).toBe('浙江/杭州')
    expect(pathLabels(['zj', 'nb'], items)).toBe('浙江/nb')
  })
})
