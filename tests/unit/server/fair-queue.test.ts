import { expect, it } from 'vitest'
import { createFairQueue, QueueFull } from '../../../src/server/kernel/threads/fair-queue.ts'

/** Tasks that end on demand, and those that have started so far. */
function tasks(turns: ReturnType<typeof createFairQueue>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    run: (name: string, tenantId = name[0] ?? '') =>
      turns.run(tenantId, () => {
        begun.push(name)
        return new Promise<void>((end) => ends.set(name, end))
      }),
    async end(name: string) {
      ends.get(name)?.()
      await new Promise((done) => setTimeout(done))
    },
  }
}

it('a tenant has at most its share, however much is free; another tenant begins at once', async () => {
  const { begun, run } = tasks(createFairQueue({ most: 3, share: 1, waiting: 9 }))

  for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name)
  await Promise.resolve()

  expect(begun).toEqual(['a1', 'b1'])
})

it('waiting calls are taken tenant by tenant, regardless of the length of their queues', async () => {
  const { begun, run, end } = tasks(createFairQueue({ most: 1, share: 1, waiting: 9 }))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void run(name)
  await Promise.resolve()

  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name)

  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

it('calls beyond the maximum queue of a tenant are refused; slots are released, after failures too', async () => {
  const turns = createFairQueue({ most: 1, share: 1, waiting: 1 })
  const { run, end } = tasks(turns)
  const first = run('a1')
  const second = turns.run('a', () => Promise.reject(new Error('broken')))
  second.catch(() => undefined)

  await expect(run('a2')).rejects.toBeInstanceOf(QueueFull)
  await end('a1')
  await first
  await expect(second).rejects.toThrow('broken')
  await expect(turns.run('a', async () => 'fine')).resolves.toBe('fine')
})
