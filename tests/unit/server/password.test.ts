import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/server/kernel/auth/password.ts'

it('a password is stored with Argon2id at 19 MiB and two passes, and only it is accepted', async () => {
  const stored = await hashPassword('Crm@2026')

  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(stored, 'Crm@2026')).toBe(true)
  expect(await verifyPassword(stored, 'Crm@2025')).toBe(false)
})

it('a password is verified at the cost its hash names', async () => {
  const stored = await hash('Crm@2026', { memoryCost: 8, timeCost: 1 })

  expect(await verifyPassword(stored, 'Crm@2026')).toBe(true)
  expect(await verifyPassword(stored, 'Crm@2025')).toBe(false)
})
