import { expect, it } from 'vitest'
import { createCurrentCipher } from '../../../src/app/storage/cipher.ts'
import { createOwnedStorage } from '../../../src/app/storage/owned-storage.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

const ONE = 'A'.repeat(43)
const OTHER = `B${'A'.repeat(42)}`

function aDevice() {
  const device = memoryStorage()
  const now = { owner: 'xinghai:u-demo', key: ONE as string | null }
  const currentCipher = createCurrentCipher(
    () => now.key,
    () => import('../../../src/app/storage/seal.ts'),
  )
  return { device, now, storage: createOwnedStorage(device, () => now.owner, currentCipher) }
}

it('a page’s stored values belong to one user in one tenant: another user finds nothing, the first finds them again', async () => {
  const { storage, now } = aDevice()
  await storage.set('recent:keyword', ['华信软件'])

  Object.assign(now, { owner: 'yunfan:u-demo', key: OTHER })
  const elsewhere = await storage.get('recent:keyword')
  await storage.remove('recent:keyword')
  Object.assign(now, { owner: 'xinghai:u-demo', key: ONE })

  expect(elsewhere).toBeUndefined()
  expect(await storage.get('recent:keyword')).toEqual(['华信软件'])
})

it('stored values are encrypted: nothing is readable after sign-out, and another key does not decrypt them', async () => {
  const { storage, device, now } = aDevice()
  await storage.set('recent:keyword', ['华信软件'])
  expect(JSON.stringify([...device.values])).not.toContain('华信')

  now.key = null
  expect(await storage.get('recent:keyword')).toBeUndefined()
  now.key = OTHER
  expect(await storage.get('recent:keyword')).toBeUndefined()
})

it('unencrypted values of an older version are encrypted when they are read', async () => {
  const { storage, device } = aDevice()
  await device.set('own:xinghai:u-demo:recent:keyword', ['华信软件'])

  expect(await storage.get('recent:keyword')).toEqual(['华信软件'])
  expect(JSON.stringify([...device.values])).not.toContain('华信')
  expect(await storage.get('recent:keyword')).toEqual(['华信软件'])
})

it('a page can store values before the first sign-in', async () => {
  const { storage, now } = aDevice()
  now.key = null
  await storage.set('agreed', true)

  expect(await storage.get('agreed')).toBe(true)
})
