import { expect, it } from 'vitest'
import { tryPackage } from '../../../src/server/flows/packages/apply-package.ts'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import type { Services } from '../../../src/server/kernel/calls/resource.ts'

it('a tenant’s packages are checked one at a time; of many at once the last is told to try later', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const database = {
    tenant: ({ tenantId }: Caller) => {
      begun.push(tenantId)
      return new Promise<void>((end) => ends.push(end))
    },
  }
  const check = (tenantId: string) =>
    tryPackage({ title: '包', items: [] }, { caller: { tenantId } as Caller, host: '' }, {
      database,
    } as unknown as Services)

  const checks = Array.from({ length: 4 }, () => check('one'))
  const others = check('other')
  await expect(check('one')).rejects.toMatchObject({ code: 429 })
  expect(begun).toEqual(['one', 'other'])

  for (let ended = 0; ended < 5; ended += 1) {
    while (ends[ended] === undefined) await Promise.resolve()
    ends[ended]?.()
  }
  await Promise.all([...checks, others])
  expect(begun).toEqual(['one', 'other', 'one', 'one', 'one'])
})
