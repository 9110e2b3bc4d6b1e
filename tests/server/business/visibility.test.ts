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

it('who sees, changes and decides follows the domain rules, for each person, scope and call', async () => {
  expect(await database.system(differences)).toEqual([])
})

it('the same of the records of own modules: with owners, shared, and in pools', async () => {
  expect(await database.system(ownDifferences)).toEqual([])
})

it('the same of what belongs to a customer or a contract', async () => {
  expect(await database.system(partnerDifferences)).toEqual([])
})
