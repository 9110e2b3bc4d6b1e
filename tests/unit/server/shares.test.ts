import { expect, it } from 'vitest'
import { createShares } from '../../../src/server/kernel/db/shares.ts'
import { DatabaseUnavailable } from '../../../src/server/kernel/db/unavailable.ts'

it('one tenant holds no more than its share, and others go first when a slot is released', async () => {
  const shares = createShares({ all: 3, each: 2, waitMs: 5_000 })
  const order: string[] = []
  const take = (tenant: string, name: string) =>
    shares.take(tenant).then((end) => {
      order.push(name)
      return end
    })

  const [first, second] = await Promise.all([take('a', 'a1'), take('a', 'a2')])
  const b1 = await take('b', 'b1')
  const waiting = [take('a', 'a3'), take('b', 'b2'), take('c', 'c1')]
  first?.()
  await waiting[2]
  second?.()
  b1()
  for (const one of waiting) (await one)()

  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

it('a turn that is ended twice releases only one slot', async () => {
  const shares = createShares({ all: 1, each: 1, waitMs: 30 })
  const end = await shares.take('a')
  end()
  end()

  const next = await shares.take('a')

  await expect(shares.take('a')).rejects.toBeInstanceOf(DatabaseUnavailable)
  next()
  await expect(shares.take('a')).resolves.toBeTypeOf('function')
})
