import type { Clock } from '../../runtime/core/ports.ts'

/** A clock that advances only on demand. */
export function fakeClock(start = 0): Clock & { readonly pass: (ms: number) => Promise<void> } {
  let now = start
  let tasks: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after(delayMs, run) {
      const task = { at: now + delayMs, run }
      tasks.push(task)
      return () => {
        tasks = tasks.filter((one) => one !== task)
      }
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        const next = tasks.filter((task) => task.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        tasks = tasks.filter((task) => task !== next)
        now = next.at
        next.run()
        await Promise.resolve()
      }
      now = end
      await Promise.resolve()
    },
  }
}
