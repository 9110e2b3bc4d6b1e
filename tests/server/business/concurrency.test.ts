import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recycle } from '../../../src/server/flows/pools/recycle.ts'
import type { PoolEntity } from '../../../src/server/kernel/context/entities.ts'
import { runs } from '../../support/long.ts'
import { FULL_BUSSINESS, FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'
import { type Copy, copyOf, idsInList, misplaced } from './support.ts'

const PEOPLE = ['demo', 'zhaolei', 'sunyue'] as const
const RECORDS = 4
const LIMIT = 6
const CAP = 3

let server: TestApp
const clients: Client[] = []
let manager: Client
/** The sync copies of a salesperson and a manager. */
const copies: Copy[] = []
beforeAll(async () => {
  server = await openTestApp()
  for (const account of PEOPLE) clients.push(await server.as(account))
  manager = await server.as('manager')
  copies.push(...[...clients.slice(0, 1), manager].map((client) => copyOf(client)))
  const admin = await server.as('admin')
  for (const entity of ['customer', 'lead', 'bussiness'])
    await admin.post('/mini/pool/setting', {
      id: `xinghai-pool-${entity}`,
      settings: { daily_claim_limit: LIMIT, holding_cap: CAP, prev_owner_cooldown_days: 0 },
    })
})
afterAll(() => server.close())

/** One action on a record. */
type Step =
  | { readonly kind: 'claim'; readonly who: number; readonly record: number }
  | { readonly kind: 'release'; readonly who: number; readonly record: number }
  | { readonly kind: 'transfer'; readonly who: number; readonly record: number; readonly to: number }
  | { readonly kind: 'assign'; readonly who: number; readonly record: number; readonly to: number }
  | { readonly kind: 'convert'; readonly who: number; readonly record: number }
  | { readonly kind: 'edit'; readonly who: number; readonly record: number }
  | { readonly kind: 'claimMany'; readonly who: number; readonly records: readonly number[] }
  | { readonly kind: 'transferMany'; readonly records: readonly number[]; readonly to: number }
  | { readonly kind: 'follow'; readonly who: number; readonly record: number }
  | { readonly kind: 'merge'; readonly record: number; readonly into: number }
  | { readonly kind: 'recycle'; readonly record: number }

const who = fc.nat(PEOPLE.length - 1)
const record = fc.nat(RECORDS - 1)
const records = fc.shuffledSubarray([...Array(RECORDS).keys()], { minLength: 2 })
const kind = <K extends string>(name: K) => fc.constant(name)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('claim'), who, record }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('release'), who, record }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('transfer'), who, record, to: who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('assign'), who, record, to: who }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('edit'), who, record }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('claimMany'), who, records }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('transferMany'), records, to: who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('follow'), who, record }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('recycle'), record }) },
)
const customerStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ kind: kind('merge'), record, into: record }) },
)
const leadStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ kind: kind('convert'), who, record }) },
)
/** Steps of a wave run concurrently; waves run one after the other. */
const waves = (one: fc.Arbitrary<Step>) =>
  fc.array(fc.array(one, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 })

describe.each([
  ['customer', customerStep],
  ['lead', leadStep],
  ['bussiness', step],
] as const)('random interleaving: %s', (entity, one) => {
  it('keeps one owner or one pool, one edit per version, and consistent quota, counters and history', async () => {
    await fc.assert(
      fc.asyncProperty(waves(one), async (all) => {
        const ids = await freshRecords(entity)
        const claims: number[] = PEOPLE.map(() => 0)
        const converted: string[] = []
        const merged = new Set<string>()
        const edits: Edit[] = []

        for (const wave of all) {
          // A reader meanwhile sees some changes of the wave and not the others.
          const pulls = Promise.all(copies.map((copy) => copy.pull()))
          const versions = new Map((await stateOf(entity, ids)).map((row) => [row.id, row.version]))
          const answers = await Promise.all(
            wave.map((it, index) => act(entity, ids, it, versions, `${edits.length}-${index}`)),
          )
          await pulls
          for (const [index, answer] of answers.entries()) {
            const done = wave[index]
            expect([200, 404, 405, 409, 422], answer?.body).toContain(answer?.meta.code ?? 200)
            if ((done?.kind === 'claim' || done?.kind === 'claimMany') && answer?.meta.code === 200)
              claims[done.who] = (claims[done.who] ?? 0) + answer.data.ok.length
            if (done?.kind === 'merge' && answer?.meta.code === 200)
              for (const at of [done.record, masterOf(done)]) merged.add(ids[at] ?? '')
            if (done?.kind === 'convert' && answer?.meta.code === 200) converted.push(ids[done.record] ?? '')
            if (done?.kind === 'edit' && answer?.meta.code === 200) {
              const id = ids[done.record] ?? ''
              edits.push({ id, base: versions.get(id) ?? 0, remark: answer.data.record.remark })
            }
          }
        }

        const rows = await stateOf(entity, ids)
        const moves = await movesOf(entity, ids)
        expect(new Set(edits.map(({ id, base }) => `${id} ${base}`)).size).toBe(edits.length)
        for (const row of rows) {
          const last = edits.filter(({ id }) => id === row.id).sort((a, b) => b.base - a.base)[0]
          // A merge fills empty fields of the master from the other record.
          if (!merged.has(row.id)) expect(row.remark).toBe(last?.remark ?? null)
          const told = replay(moves.filter((move) => move.record_id === row.id))
          expect({ owner: row.owner_id, pool: row.pool_id, times: row.pool_times }).toEqual(told)
          expect((row.owner_id === null) !== (row.pool_id === null)).toBe(true)
        }
        for (const [index, client] of clients.entries()) {
          const header = (await client.get(`/mini/pool/list?entity=${entity}`)).data.list[0]
          const held = rows.filter(
            (row) => row.live && row.owner_id === `u-${PEOPLE[index]}` && row.status !== 40,
          )
          expect(header.quota.claimed).toBe(claims[index])
          expect(claims[index]).toBeLessThanOrEqual(LIMIT)
          expect(header.holding.n).toBe(held.length)
          expect(held.length).toBeLessThanOrEqual(CAP)
          const counts = await client.post(`/mini/${entity}/count`, { tabs: ['mine'] })
          expect(counts.data.mine).toBe(
            rows.filter((row) => row.live && row.owner_id === `u-${PEOPLE[index]}`).length,
          )
        }
        expect(new Set(converted).size).toBe(converted.length)
        expect(
          rows
            .filter((row) => row.status === 40)
            .map((row) => row.id)
            .sort(),
        ).toEqual(converted.sort())
        if (entity === 'lead')
          expect(await madeByConversion()).toEqual({
            customers: converted.length,
            contacts: converted.length,
            deals: converted.length,
          })
        expect(await misplaced(server.database)).toEqual([])
        for (const [index, client] of [...clients.slice(0, 1), manager].entries())
          await expectInStep(client, copies[index])
      }),
      { numRuns: runs(3, 8) },
    )
  }, 120_000)
})

/** The incremental copies equal a copy made from scratch, and the lists. */
async function expectInStep(client: Client, copy: Copy | undefined): Promise<void> {
  await copy?.pull()
  const fresh = copyOf(client)
  await fresh.pull()
  expect(Object.fromEntries(copy?.records ?? [])).toEqual(Object.fromEntries(fresh.records))
  for (const entity of ['customer', 'contact', 'lead', 'bussiness'])
    expect(idsOf(fresh, entity)).toEqual(await idsInList(client, `/mini/${entity}/list`))
}

const idsOf = ({ records }: Copy, entity: string) =>
  [...records.keys()]
    .flatMap((key) => (key.startsWith(`${entity}/`) ? [key.slice(entity.length + 1)] : []))
    .sort()

/** An accepted edit: no other was accepted for the version it is based on. */
interface Edit {
  readonly id: string
  readonly base: number
  readonly remark: string
}

/** A record is never its own duplicate. */
function masterOf({ record, into }: { readonly record: number; readonly into: number }): number {
  return into === record ? (record + 1) % RECORDS : into
}

async function act(
  entity: PoolEntity,
  ids: readonly string[],
  it: Step,
  versions: ReadonlyMap<string, number>,
  remark: string,
): Promise<Answer | null> {
  const named = (of: readonly number[]) => of.map((at) => ids[at] ?? '')
  if (it.kind === 'recycle') {
    await server.database.system((trx) =>
      sql`update ${sql.table(entity)} set expire_at = ${new Date(server.clock.now - 1000)}
        where id = ${ids[it.record]} and owner_id is not null and deleted_at is null`.execute(trx),
    )
    await recycle(server.database, server.clock.now)
    return null
  }
  if (it.kind === 'merge')
    return manager.post('/mini/customer/merge', {
      masterId: ids[masterOf(it)] ?? '',
      ids: named([it.record]),
    })
  if (it.kind === 'transferMany')
    return manager.post(`/mini/${entity}/transfer`, {
      ids: named(it.records),
      toUserId: `u-${PEOPLE[it.to]}`,
    })
  const client = clients[it.who] ?? manager
  const poolId = `xinghai-pool-${entity}`
  if (it.kind === 'claimMany')
    return client.post(`/mini/pool/${entity}/claim`, { poolId, ids: named(it.records) })
  const id = ids[it.record] ?? ''
  if (it.kind === 'follow')
    return client.post('/mini/follow/create', {
      target_type: entity,
      target_id: id,
      method: 'call',
      content: '并发跟进',
    })
  if (it.kind === 'claim') return client.post(`/mini/pool/${entity}/claim`, { poolId, ids: [id] })
  if (it.kind === 'release') return client.post(`/mini/${entity}/release`, { ids: [id], reason: 'other' })
  if (it.kind === 'edit')
    return client.post(`/mini/${entity}/update`, { id, version: versions.get(id) ?? 0, remark })
  if (it.kind === 'convert')
    return client.post('/mini/lead/convert', {
      id,
      customer: { mode: 'create' },
      contact: { mode: 'create' },
      bussiness: { name: `商机 ${id}`, amount: 100, expected_date: '2026-12-31' },
    })
  const to = `u-${PEOPLE[it.to]}`
  if (it.kind === 'transfer') return client.post(`/mini/${entity}/transfer`, { ids: [id], toUserId: to })
  return manager.post(`/mini/pool/${entity}/assign`, { ids: [id], toUserIds: [to] })
}

/** Fields that are unique, or compared separately. */
const UNLIKE = { telephone: null, credit_code: null, remark: null }
const { website: _, ...CUSTOMER } = { ...FULL_CUSTOMER, ...UNLIKE }
const { telephone, remark } = UNLIKE
const FULL = {
  customer: CUSTOMER,
  lead: { ...FULL_LEAD, telephone, remark, company: null },
  bussiness: { ...FULL_BUSSINESS, remark },
}
const LEAST = {
  customer: {},
  lead: { contact_name: '联系人', source: 'website' },
  bussiness: { amount: 100, expected_date: '2026-12-31' },
}
let count = 0
/** Half of them full, half with the required fields only: records in the pool, without a previous owner; earlier ones are deleted. */
async function freshRecords(entity: PoolEntity): Promise<readonly string[]> {
  await server.database.system(async (trx) => {
    for (const table of ['owner_record', 'todo', 'follow', 'bussiness', 'contact', 'lead', 'customer'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
  })
  const customer =
    entity === 'bussiness'
      ? await manager.post('/mini/customer/create', { name: `商机都在的${count}号公司` })
      : null
  const ids: string[] = []
  for (let index = 0; index < RECORDS; index++) {
    count += 1
    const made = await manager.post(`/mini/${entity}/create`, {
      name: `并发${'甲乙丙丁戊己庚辛'[count % 8]}${count}号厂`,
      ...(index % 2 === 0 ? FULL[entity] : LEAST[entity]),
      ...(entity === 'lead' ? { mobile: `137${String(count).padStart(8, '0')}` } : {}),
      ...(entity === 'bussiness' ? { customer_id: customer?.data.id } : {}),
    })
    expect(made.meta.message).toBe('')
    await manager.post(`/mini/${entity}/release`, { ids: [made.data.id], reason: 'other' })
    ids.push(made.data.id)
  }
  return ids
}

interface Row {
  readonly id: string
  readonly live: boolean
  readonly owner_id: string | null
  readonly pool_id: string | null
  readonly pool_times: number
  readonly version: number
  readonly remark: string | null
  readonly status: number | null
}

async function stateOf(entity: PoolEntity, ids: readonly string[]): Promise<readonly Row[]> {
  const status = entity === 'lead' ? sql`status` : sql`null::int as status`
  const { rows } = await server.database.system((trx) =>
    sql<Row>`select id, deleted_at is null as live, owner_id, pool_id, pool_times, version, remark, ${status} from ${sql.table(entity)}
      where id = any(${[...ids]}::text[]) order by id`.execute(trx),
  )
  return rows
}

interface Move {
  readonly record_id: string
  readonly from_user: string | null
  readonly to_user: string | null
  readonly from_pool: string | null
  readonly to_pool: string | null
  readonly kind: string
}

async function movesOf(entity: string, ids: readonly string[]): Promise<readonly Move[]> {
  const { rows } = await server.database.system((trx) =>
    sql<Move>`select record_id, from_user, to_user, from_pool, to_pool, kind from owner_record
      where entity = ${entity} and record_id = any(${[...ids]}::text[]) order by id`.execute(trx),
  )
  return rows
}

/** The model: the owner of a record according to its history alone. Every move starts where the previous one ended. */
function replay(moves: readonly Move[]): { owner: string | null; pool: string | null; times: number } {
  let owner: string | null = null
  let pool: string | null = null
  let times = 0
  for (const move of moves) {
    expect({ user: move.from_user, pool: move.from_pool }).toEqual({ user: owner, pool })
    owner = move.to_user
    pool = move.to_pool
    if (move.kind === 'release' || move.kind === 'recycle') times += 1
  }
  return { owner, pool, times }
}

async function madeByConversion(): Promise<Record<'customers' | 'contacts' | 'deals', number>> {
  const { rows } = await server.database.system((trx) =>
    sql<Record<'customers' | 'contacts' | 'deals', number>>`select
      (select count(*) from customer where obtain_way = 'converted') as customers,
      (select count(*) from contact) as contacts, (select count(*) from bussiness) as deals`.execute(trx),
  )
  return rows[0] ?? { customers: -1, contacts: -1, deals: -1 }
}
