import { Solar } from 'lunar-typescript'
import { describe, expect, it } from 'vitest'
import { dayAt, dayNumber, dayText } from '../../../runtime/core/dates/day.ts'
import { lunarDay } from '../../../runtime/core/dates/lunar.ts'

const FIRST = dayNumber({ year: 1900, month: 1, day: 31 })
const LAST = dayNumber({ year: 2100, month: 12, day: 31 })

describe('the lunar calendar beside an almanac', () => {
  it('names every day from 1900 to 2100 like a maintained library', () => {
    const wrong: string[] = []
    for (let number = FIRST; number <= LAST; number += 1) {
      const day = dayAt(number)
      const ours = lunarDay(day)
      const theirs = Solar.fromYmd(day.year, day.month, day.day).getLunar()
      const month = (ours?.month ?? 0) * (ours?.leap === true ? -1 : 1) // there a leap month is negative
      const said = `${ours?.year}-${month}-${ours?.day}`
      const right = `${theirs.getYear()}-${theirs.getMonth()}-${theirs.getDay()}`
      if (said !== right) wrong.push(`${dayText(day)}: ${said}, not ${right}`)
    }
    expect(wrong).toEqual([])
  })
})
