import { expect, it } from 'vitest'
import { createModuleLibrary } from '../../../src/server/kernel/model/library.ts'
import { addOverride } from '../../../src/server/kernel/model/overrides.ts'
import { PEOPLE } from '../images.ts'
import { openTestDatabase } from '../support.ts'

it('keeps no model that was read before somebody said something else', async () => {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const fail = (error: Error): never => {
    throw error
  }
  const library = await createModuleLibrary({ schemasDir: 'schemas', database, onError: fail })
  const scope = { tenantId: 'xinghai', userId: 'u-admin' }

  const versions = await database.tenant(scope, async (trx) => {
    const early = library.of(trx, scope.tenantId)
    const told = library.changed(trx, scope.tenantId)
    await Promise.all([early, told])
    await addOverride(trx, scope, {
      name: 'customer',
      version: 1,
      kind: 'difference',
      description: { name: 'customer', label: '客户档案' },
      deleted: false,
    })
    return (await library.of(trx, scope.tenantId)).versions
  })

  expect([...versions]).toEqual([['customer', 1]])
  await library.close()
  await drop()
})
