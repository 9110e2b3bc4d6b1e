import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { openTestDatabase } from '../support.ts'
import { ownDifferences, partnerDifferences } from './seen-own-rows.ts'
import { differences, fillCompany } from './seen-rows.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const opened = await openTestDatabase()
  database = opened.database
  drop = opened.drop
  await database.system(fillCompany)
})
afterAll(() => drop())

it('who sees, changes and decides follows the domain rules, for each user, scope and call', async () => {
  expect(await database.system(differences)).toEqual([])
})

it('access to records of own modules follows the domain rules: with owners, shared, and in pools', async () => {
  expect(await database.system(ownDifferences)).toEqual([])
})

it('access to what belongs to a customer or a contract follows the domain rules', async () => {
  expect(await database.system(partnerDifferences)).toEqual([])
})
