import { expect, it } from 'vitest'
import { createOwnedStorage } from '../../../src/app/owned-storage.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

it('what a page keeps is of one user in one tenant: another finds nothing, the first finds it again', async () => {
  let owner = 'xinghai:u-demo'
  const storage = createOwnedStorage(memoryStorage(), () => owner)
  await storage.set('recent:keyword', ['华信软件'])

  owner = 'yunfan:u-demo'
  const elsewhere = await storage.get('recent:keyword')
  await storage.remove('recent:keyword')
  owner = 'xinghai:u-demo'

  expect(elsewhere).toBeUndefined()
  expect(await storage.get('recent:keyword')).toEqual(['华信软件'])
})
