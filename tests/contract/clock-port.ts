import { describe, expect, it } from 'vitest'
import type { Clock } from '../../runtime/core/ports.ts'

/** @param pass  lets that many ms pass */
export interface ClockStage {
  readonly clock: Clock
  readonly pass: (ms: number) => Promise<void>
}

/** Lets some time pass, then looks. */
const lookAfter =
  <T>(pass: ClockStage['pass'], ms: number, look: () => T) =>
  async (): Promise<T> => {
    await pass(ms)
    return look()
  }

/** Requirements of every Clock port. Waits are short and only the order matters: a busy machine may be late, never early. */
export function clockPortContract(name: string, open: () => ClockStage): void {
  describe(`the Clock port, ${name}`, () => {
    it('never goes back', async () => {
      const { clock, pass } = open()
      const before = clock.now()
      await pass(5)
      expect(clock.now()).toBeGreaterThanOrEqual(before)
    })

    it('runs a task once, not before its time', async () => {
      const { clock, pass } = open()
      const start = clock.now()
      const ran: number[] = []
      clock.after(20, () => ran.push(clock.now() - start))
      expect(ran).toEqual([])
      await expect.poll(lookAfter(pass, 20, () => ran.length)).toBe(1)
      await pass(40)
      expect(ran).toHaveLength(1)
      expect(ran[0]).toBeGreaterThanOrEqual(19) // timers of browsers and Node round down
    })

    it('drops a cancelled task, even if it is cancelled twice or too late', async () => {
      const { clock, pass } = open()
      const ran: string[] = []
      const first = clock.after(10, () => ran.push('first'))
      const second = clock.after(1, () => ran.push('second'))
      first()
      first()
      await expect.poll(lookAfter(pass, 5, () => ran)).toEqual(['second'])
      second()
      await pass(30)
      expect(ran).toEqual(['second'])
    })

    it('runs tasks that are due earlier first', async () => {
      const { clock, pass } = open()
      const ran: string[] = []
      clock.after(60, () => ran.push('late'))
      clock.after(5, () => ran.push('early'))
      await expect.poll(lookAfter(pass, 60, () => ran)).toEqual(['early', 'late'])
    })
  })
}
