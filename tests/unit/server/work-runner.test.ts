import { expect, it, vi } from 'vitest'
import { createWorkRunner } from '../../../src/server/flows/work/runner.ts'
import type { Services } from '../../../src/server/kernel/calls/resource.ts'

it('the work runner looks again if something was queued while it was looking', async () => {
  let looks = 0
  const system = async () => {
    looks += 1
    await new Promise((done) => setImmediate(done))
    if (looks === 1) runner.wake()
    return null
  }
  const services = { database: { system }, now: () => 0 } as unknown as Services
  const runner = createWorkRunner(services, {} as Parameters<typeof createWorkRunner>[1])

  runner.wake()
  await vi.waitFor(() => expect(looks).toBe(2))
  await runner.stop()

  expect(looks).toBe(2)
})
