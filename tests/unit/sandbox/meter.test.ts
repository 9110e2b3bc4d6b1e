import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../runtime/core/hooks/script-limits.ts'
import { createMeter } from '../../../runtime/sandbox/meter.ts'

describe('the time of a run', () => {
  const aMeter = () => {
    let now = 1_000
    const meter = createMeter(DEFAULT_LIMITS, () => now)
    /** Lets time pass, with a check at its end. */
    const isOverIn = (ms: number): boolean => {
      now += ms
      return meter.over()
    }
    const pass = (ms: number) => {
      now += ms
    }
    meter.begin()
    return { meter, isOverIn, pass }
  }

  it('ends after 100 ms of script', () => {
    const { meter, isOverIn } = aMeter()

    for (let ms = 0; ms < 100; ms += 1) expect(isOverIn(1)).toBe(false)
    expect(isOverIn(1)).toBe(true)
    expect(meter.limit()).toMatchObject({ code: 'SCRIPT_BUDGET', message: 'ran longer than 100 ms' })
  })

  it('excludes what a busy machine does in between, beyond one step', () => {
    const { isOverIn } = aMeter()

    expect([isOverIn(5_000), isOverIn(1_000), isOverIn(60)]).toEqual([false, false, false])
    for (let ms = 0; ms < 40; ms += 1) expect(isOverIn(1)).toBe(false)
    expect(isOverIn(1)).toBe(true)
  })

  it('excludes the compilation of its code, and our own code before it', () => {
    const { meter, isOverIn, pass } = aMeter()

    for (let i = 0; i < 50; i += 1) {
      pass(15)
      meter.allow(15)
      expect(isOverIn(1)).toBe(false)
    }
    meter.pause()
    for (let i = 0; i < 50; i += 1) expect(isOverIn(20)).toBe(false)
    meter.begin()
    for (let i = 0; i < 5; i += 1) expect(isOverIn(20)).toBe(false)
    expect(isOverIn(1)).toBe(true)
  })
})
