import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import type { DataScope } from '../../../src/server/kernel/auth/permissions.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import type { Database, Trx } from '../../../src/server/kernel/db/database.ts'
import {
  accessibleIds,
  needsNoLookup,
  ownedParts,
  singlePart,
} from '../../../src/server/kernel/visibility/owned-parts.ts'
import {
  departmentsInScope,
  isVisible,
  type OwnedEntity,
} from '../../../src/server/kernel/visibility/predicate.ts'
import { withReach } from '../../../src/server/kernel/visibility/reach.ts'
import { openTestDatabase } from '../support.ts'
import { ownDifferences, partnerDifferences } from './seen-own-rows.ts'
import {
  callerOf,
  differences,
  ENTITIES,
  fillCompany,
  inScope,
  isLiving,
  ROWS,
  seen,
  seenOwned,
  type Who,
} from './seen-rows.ts'

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

const U3: Who = { user: 'u3', scope: 'self', chosen: ['d4'] }
const NOTHING = {
  departments: [],
  people: [],
  customers: [],
  pools: { customer: [], lead: [], bussiness: [] },
  shared: [],
}
const rowsOf = (entity: OwnedEntity, test: (row: (typeof ROWS)[number]) => boolean) =>
  ROWS.filter((row) => row.entity === entity && test(row)).map(({ id }) => id)
const idsOf = async (trx: Trx, entity: OwnedEntity, where: RawBuilder<unknown>) => {
  const { rows } = await sql<{ id: string }>`select r.id from ${sql.table(entity)} r where ${where}`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}
const reachOf = async (trx: Trx, caller: Caller, needsTeam = false) =>
  (await withReach({ trx, caller } as unknown as CallContext, needsTeam)).caller
/** The rows of all parts, and the kinds of the parts. */
const ofParts = async (trx: Trx, caller: Caller, entity: OwnedEntity) => {
  const parts = ownedParts(caller, entity, 'r') ?? []
  const ids = await Promise.all(parts.map(({ where }) => idsOf(trx, entity, where)))
  return { ids: ids.flat().sort(), by: parts.map(({ by }) => by) }
}

it('whose modules have different scopes sees of each what its own scope says', async () => {
  const mixed: readonly Readonly<Record<string, DataScope>>[] = [
    { default: 'self', customer: 'self_sub', lead: 'dept', bussiness: 'dept_sub' },
    { default: 'all', customer: 'self', lead: 'self_sub' },
    { default: 'self_sub', customer: 'all', contract: 'dept_custom' },
  ]
  const people = [
    { user: 'u2', below: ['u2', 'u3'], departments: ['d2', 'd3'] },
    { user: 'u3', below: ['u3'], departments: ['d3'] },
  ]
  await database.system(async (trx) => {
    for (const { user, below, departments } of people)
      for (const scopes of mixed) {
        const plain: Caller = { ...callerOf({ ...U3, user }), scopes }
        const quick = await reachOf(trx, plain, true)
        expect(needsNoLookup(plain)).toBe(false)
        for (const entity of ENTITIES) {
          const scope = scopes[entity] ?? scopes.default ?? 'self'
          const who = { ...U3, user, scope }
          const visible = rowsOf(entity, (row) => seen(who, row)).sort()
          expect((await idsOf(trx, entity, isVisible(plain, entity, 'r'))).sort()).toEqual(visible)
          expect((await idsOf(trx, entity, isVisible(quick, entity, 'r'))).sort()).toEqual(visible)
          // Approvers of a contract are queried separately from its parts.
          const owned = rowsOf(entity, (row) => seenOwned(who, { ...row, approver: '', approvers: [] }))
          if (scope !== 'all') expect((await ofParts(trx, quick, entity)).ids).toEqual(owned.sort())
        }
        const team = scopes.customer === 'self_sub' ? below : [user]
        expect(quick.reach?.team ?? 'all').toEqual(scopes.customer === 'all' ? 'all' : team)
        const usesDepartments = Object.values(scopes).includes('dept_sub')
        expect(quick.reach?.departments).toEqual(usesDepartments ? departments : [])
      }
  })
})

it('what was looked up is not queried again, and who is in the scope is looked up when it is needed', async () => {
  await database.system(async (trx) => {
    for (const scope of ['self_sub', 'dept_sub'] as const)
      for (const entity of ENTITIES) {
        const caller: Caller = { ...callerOf({ ...U3, user: 'u2', scope }, new Set()), reach: NOTHING }
        const own = rowsOf(entity, (row) => isLiving(row) && inScope({ ...U3, user: 'u2' }, row)).sort()
        expect((await idsOf(trx, entity, isVisible(caller, entity, 'r'))).sort()).toEqual(
          scope === 'self_sub' ? [] : own,
        )
        expect((await ofParts(trx, caller, entity)).ids).toEqual(own)
      }
    const alone = await reachOf(trx, callerOf(U3))
    expect(alone.reach?.team).toBeUndefined()
    expect((await reachOf(trx, alone, true)).reach?.team).toEqual(['u3'])
    const dept = await ofParts(trx, alone, 'lead')
    expect(dept.by).toEqual(['owner', 'id'])
    expect((await ofParts(trx, callerOf({ ...U3, scope: 'dept' }), 'lead')).by).toEqual([
      'owner',
      'dept',
      'id',
    ])
  })
  expect(departmentsInScope(callerOf({ ...U3, scope: 'dept_sub' }), 'lead', undefined)).toEqual([])
  expect(
    departmentsInScope({ ...callerOf({ ...U3, scope: 'dept_custom' }), customDepts: {} }, 'lead', undefined),
  ).toEqual([])
  expect([...accessibleIds(NOTHING, 'lead')]).toEqual([])
  expect(singlePart(callerOf(U3), 'u3', sql<boolean>`true`).without).toEqual([])
})
