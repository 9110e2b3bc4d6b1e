import { describe, expect, it } from 'vitest'
import { placeBeside } from '../../../../runtime/core/widgets/placing.ts'

const WINDOW = { width: 1440, height: 900 }
const aField = (left: number, top: number) => ({ left, top, right: left + 400, bottom: top + 44 })

describe('a panel beside a field', () => {
  it('is below it, aligned with its left side', () => {
    expect(placeBeside(aField(300, 200), { width: 301, height: 400 }, WINDOW)).toEqual({
      left: 300,
      top: 248,
      side: 'below',
    })
  })

  it('is aligned with the field’s right side if it would not fit otherwise', () => {
    expect(placeBeside(aField(1000, 200), { width: 653, height: 400 }, WINDOW).left).toBe(747)
  })

  it('never leaves the window', () => {
    expect(placeBeside(aField(1200, 200), { width: 301, height: 400 }, WINDOW).left).toBe(1131)
    expect(placeBeside(aField(20, 200), { width: 653, height: 400 }, { width: 600, height: 900 }).left).toBe(
      8,
    )
    expect(placeBeside(aField(20, 200), { width: 301, height: 590 }, { width: 600, height: 600 }).top).toBe(8)
  })

  it('is above it if there is only space there, and covers it if there is no space', () => {
    expect(placeBeside(aField(300, 700), { width: 301, height: 400 }, WINDOW)).toMatchObject({
      top: 296,
      side: 'above',
    })
    expect(placeBeside(aField(300, 250), { width: 301, height: 400 }, { width: 800, height: 600 })).toEqual({
      left: 300,
      top: 192,
      side: 'over',
    })
  })

  it('stays on its side while it fits there: a list that gets shorter does not jump', () => {
    const field = aField(300, 500)
    expect(placeBeside(field, { width: 301, height: 200 }, WINDOW, 'above').side).toBe('above')
    expect(placeBeside(field, { width: 301, height: 200 }, WINDOW, 'over').side).toBe('below')
  })
})
