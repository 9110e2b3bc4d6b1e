import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWatchdog } from '../../../runtime/sandbox/watchdog.ts'

describe('the watchdog', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('fires once if a run exceeds its time', () => {
    const barks: (number | undefined)[] = []
    const dog = createWatchdog(() => barks.push(dog.job))

    dog.watch(7, 160)
    vi.advanceTimersByTime(160)
    const before = [...barks]
    vi.advanceTimersByTime(500)

    expect(before).toEqual([])
    expect(barks).toEqual([7])
  })

  it('does not fire for a run that has ended, and measures the next run from its start', () => {
    const barks: (number | undefined)[] = []
    const dog = createWatchdog(() => barks.push(dog.job))

    dog.watch(1, 160)
    vi.advanceTimersByTime(150)
    dog.watch(2, 160)
    vi.advanceTimersByTime(150)
    dog.unwatch()
    vi.advanceTimersByTime(500)

    expect(barks).toEqual([])
    expect(dog.job).toBeUndefined()
  })

  it('counts a suspended machine as one step, not as time of the run', () => {
    const barks: number[] = []
    const dog = createWatchdog(() => barks.push(Date.now()))
    dog.watch(1, 160)

    vi.setSystemTime(Date.now() + 5_000) // the clock advanced; no timer ran
    vi.advanceTimersByTime(120)

    expect(barks).toEqual([])
  })
})
