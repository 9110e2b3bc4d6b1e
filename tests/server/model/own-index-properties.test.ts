import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { fillOwnIndexes } from '../../../src/server/flows/jobs/own-index.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { mirrorFaults } from './mirror-faults.ts'

const server: TestApp = await openTestApp()
const TENANT = 'xinghai'
const FIELDS: Readonly<Record<string, { readonly kind: string; readonly values: readonly Json[] }>> = {
  town: { kind: 'text', values: ['青岛', 'a', "o'b", '𠮷'.repeat(500), null] },
  score: { kind: 'number', values: [0, -1.25, 999_999_999_999, 0.1, null] },
  renew: { kind: 'day', values: ['2024-02-29', '2026-12-31', null] },
  met: { kind: 'moment', values: ['2026-05-01 09:30:00', '1999-01-01 00:00:00', null] },
  likes: { kind: 'texts', values: [['茶', '棋'], ['茶'], [], null] },
  by: { kind: 'user', values: ['u-demo', 'u-manager', null] },
  vip: { kind: 'flag', values: [true, false, null] },
}
const SORTED = new Set(['text', 'number', 'day', 'moment'])
const NAMES = Object.keys(FIELDS)

let director: Client
let admin: Client
beforeAll(async () => {
  director = await server.as('director')
  admin = await server.as('admin')
})
afterAll(() => server.close())

type Step =
  | { readonly is: 'create' | 'change'; readonly of: number; readonly field: number; readonly value: number }
  | { readonly is: 'remove' | 'restore' | 'transfer'; readonly of: number }
  | {
      readonly is: 'field'
      readonly field: number
      readonly how: 'filter' | 'sort' | 'plain' | 'retired' | 'deleted' | 'other'
    }
  | { readonly is: 'lose' | 'fill' | 'killed'; readonly field: number }
  | { readonly is: 'job' }

const any = fc.nat(1000)
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constantFrom('create' as const, 'change' as const), of: any, field: any, value: any }),
  fc.record({ is: fc.constantFrom('remove' as const, 'restore' as const, 'transfer' as const), of: any }),
  fc.record({
    is: fc.constant('field' as const),
    field: any,
    how: fc.constantFrom(
      'filter' as const,
      'sort' as const,
      'plain' as const,
      'retired' as const,
      'deleted' as const,
      'other' as const,
    ),
  }),
  fc.record({ is: fc.constantFrom('lose' as const, 'fill' as const, 'killed' as const), field: any }),
  fc.record({ is: fc.constant('job' as const) }),
)
const at = <One>(all: readonly One[], n: number): One => all[n % all.length] as One

let module = ''
let ids: string[] = []
/** The last value written to each field of each record. */
const kept = new Map<string, Readonly<Record<string, Json>>>()

async function take(step: Step): Promise<void> {
  const call = (action: string, body: JsonObject) => director.post(`/mini/m/${module}/${action}`, body)
  if (step.is === 'create' || step.is === 'change') {
    const name = at(NAMES, step.field)
    const { kind = '', values = [] } = FIELDS[name] ?? {}
    expect(kind).not.toBe('')
    const given = { [name]: at(values, step.value) }
    if (step.is === 'create') {
      const { data } = await call('create', { title: `n${ids.length}`, ...given })
      if (data !== null && typeof data.id === 'string') {
        ids.push(data.id)
        keep(data.id, given)
      }
      return
    }
    const id = at(ids, step.of)
    const { data } = await director.get(`/mini/m/${module}/detail?id=${id}`)
    if (data?.record === undefined) return
    const { meta } = await call('update', { id, version: data.record.version, ...given })
    if (meta.code === 200) keep(id, given)
  } else if (step.is === 'remove') await call('delete', { ids: [at(ids, step.of)] })
  else if (step.is === 'restore') await call('restore', { ids: [at(ids, step.of)] })
  else if (step.is === 'transfer')
    await call('transfer', { ids: [at(ids, step.of)], toUserId: at(['u-director', 'u-manager'], step.of) })
  else if (step.is === 'field') await changeField(at(NAMES, step.field), step.how)
  else if (step.is === 'job') await fillOwnIndexes(server.database)
  else if (step.is === 'lose' || step.is === 'fill' || step.is === 'killed')
    await refill(at(NAMES, step.field), step.is)
}

function keep(id: string, given: Readonly<Record<string, Json>>): void {
  const all = Object.entries({ ...kept.get(id), ...given })
  kept.set(
    id,
    Object.fromEntries(
      all.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
    ),
  )
}

/** Values that cannot be read, neither as their original nor as their converted kind, once every field is restored. */
async function unread(): Promise<readonly string[]> {
  const { fields } = (await admin.get(`/engine/web/module/detail?name=${module}`)).data.description
  const isThere = (name: string) =>
    fields.some((one: JsonObject) => one.name === name && one.retired !== true)
  for (const name of NAMES.filter((one) => !isThere(one)))
    for (const kind of [FIELDS[name]?.kind ?? '', 'text', 'choices']) {
      const { meta } = await admin.post('/engine/web/field/save', { module, field: fieldOf(name, kind) })
      if (meta.code === 200) break
    }
  await director.post(`/mini/m/${module}/restore`, { ids: [...new Set(ids)] })
  const faults: string[] = []
  for (const [id, values] of kept) {
    const { record } = (await admin.get(`/mini/m/${module}/detail?id=${id}`)).data ?? {}
    const read = Object.fromEntries(Object.keys(values).map((name) => [name, record?.[name] ?? null]))
    if (JSON.stringify(read) !== JSON.stringify(values))
      faults.push(`${JSON.stringify(read)} instead of ${JSON.stringify(values)}`.slice(0, 300))
  }
  return faults
}

const fieldOf = (name: string, kind: string): JsonObject => ({
  name,
  kind,
  label: name,
  ...(kind === 'text' ? { max: 500 } : {}),
  ...(kind === 'choices' ? { dict: 'customer_tag' } : {}),
})

const recordOf = async (id: string): Promise<JsonObject | undefined> =>
  (await director.get(`/mini/m/${module}/detail?id=${id}`)).data?.record

/** A record that is in the bin: its values are converted as well. */
async function removedRecord(id: string): Promise<JsonObject | undefined> {
  await director.post(`/mini/m/${module}/restore`, { ids: [id] })
  const record = await recordOf(id)
  await director.post(`/mini/m/${module}/delete`, { ids: [id] })
  return record
}

/** The converted values of a field: none of them is lost. */
async function keepConverted(name: string): Promise<void> {
  for (const [id, values] of kept) {
    if (values[name] === undefined) continue
    const record = (await recordOf(id)) ?? (await removedRecord(id))
    if (record === undefined) continue
    expect(record[name] ?? null, `${name} of ${id}`).not.toBeNull()
    keep(id, { [name]: record[name] ?? null })
  }
}

async function changeField(name: string, how: string): Promise<void> {
  const { kind = 'text' } = FIELDS[name] ?? {}
  if (how === 'other') {
    const field = fieldOf(name, kind === 'text' ? 'choices' : 'text')
    const { meta } = await admin.post('/engine/web/field/save', { module, field })
    if (meta.code === 200) await keepConverted(name)
    return
  }
  if (how === 'deleted') {
    await admin.post('/engine/web/field/delete', { module, name })
    return
  }
  const says = {
    ...(how === 'filter' ? { filter: true } : {}),
    ...(how === 'sort' ? (SORTED.has(kind) ? { sort: true } : { filter: true }) : {}),
    ...(how === 'retired' ? { filter: true, retired: true } : {}),
  }
  await takeBack(name, kind)
  await admin.post('/engine/web/field/save', { module, field: { name, kind, label: name, ...says } })
}

/** Converts a field back to its original kind, with all values that can be converted. */
async function takeBack(name: string, kind: string): Promise<void> {
  const { fields } = (await admin.get(`/engine/web/module/detail?name=${module}`)).data.description
  const now = fields.find((one: JsonObject) => one.name === name && one.retired !== true)
  if (now === undefined || now.kind === kind) return
  const { meta } = await admin.post('/engine/web/field/save', { module, field: { name, kind, label: name } })
  if (meta.code === 200) await keepConverted(name)
}

/** An index build that restarts, continues for a few records, or is interrupted. */
async function refill(field: string, how: 'lose' | 'fill' | 'killed'): Promise<void> {
  const part = server.database.tenant({ tenantId: TENANT, userId: 'system' }, async (trx) => {
    if (how === 'lose')
      await sql`update own_index set state = 'filling', last_id = '', is_asked = true where tenant_id = ${TENANT}
        and module = ${module} and field = ${field} and state = 'ready'`.execute(trx)
    await sql`select crm_own_fill(${TENANT}, ${module}, ${field}, 'record', 2)`.execute(trx)
    if (how === 'killed') throw new Error('killed')
  })
  await part.catch((error: Error) => {
    if (error.message !== 'killed') throw error
  })
}

describe('after any sequence of writes, changes of fields, and interrupted fillings', () => {
  it('the rows of the mirror equal the values in ext, and every written value can be read', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 6, maxLength: 16 }), async (taken) => {
        run += 1
        module = `p${run}`
        ids = []
        kept.clear()
        const description = {
          name: module,
          label: module,
          title: 'title',
          behaviours: ['owned', 'recycle'],
          fields: [
            { name: 'title', kind: 'text', label: '标题', required: true },
            ...NAMES.map((name) => ({
              name,
              kind: FIELDS[name]?.kind ?? '',
              label: name,
              filter: true,
              ...(name === 'town' ? { max: 500 } : {}),
            })),
          ],
        }
        expect((await admin.post('/engine/web/module/save', { description })).meta.code).toBe(200)
        await server.database.system((trx) =>
          sql`update role set permissions = permissions || ${JSON.stringify(
            ['view', 'add', 'edit', 'del', 'transfer'].map((one) => `m.${module}:${one}`),
          )}::jsonb where code = 'sales_director' and not permissions ? ${`m.${module}:view`}`.execute(trx),
        )
        const client = await server.as('director')
        director = client
        for (let n = 0; n < 5; n += 1) await take({ is: 'create', of: n, field: n, value: n })
        expect(ids.length).toBeGreaterThan(2)
        for (const step of taken) await take(step)
        await fillOwnIndexes(server.database)
        const { description: now } = (await admin.get(`/engine/web/module/detail?name=${module}`)).data

        expect(await mirrorFaults(server.database, TENANT, now)).toEqual([])
        expect(await unread()).toEqual([])
        await admin.post('/engine/web/module/delete', { name: module })
      }),
      { numRuns: 8 },
    )
  }, 120_000)
})

describe('after any sequence of moves of customers', () => {
  it('the rows of the mirror are the values of existing records, with their current owner', async () => {
    const fields = Object.entries(FIELDS).map(([name, { kind }]) => ({
      name,
      kind,
      label: name,
      filter: true,
      ...(SORTED.has(kind) ? { sort: true } : {}),
      ...(name === 'town' ? { max: 500 } : {}),
    }))
    await admin.post('/engine/web/module/save', { description: { name: 'customer', fields } })
    const done = new Set<string>()
    let made = 0
    const moves = ['create', 'change', 'merge', 'release', 'claim', 'delete', 'restore', 'transfer'] as const
    const step = fc.record({ is: fc.constantFrom(...moves), of: any, other: any, field: any, value: any })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 20 }), async (taken) => {
        const there: string[] = []
        const post = async (is: string, path: string, body: JsonObject) => {
          const { meta, data } = await admin.post(`/mini/${path}`, body)
          if (meta.code === 200) done.add(is)
          return data
        }
        const create = async ({ field, value }: { readonly field: number; readonly value: number }) => {
          made += 1
          const name = at(NAMES, field)
          const ext = { [name]: at(FIELDS[name]?.values ?? [], value), score: value }
          const mobile = `139${String(made).padStart(8, '0')}`
          const data = await post('create', 'customer/create', { name: `移动的客户${made}号`, mobile, ext })
          if (typeof data?.id === 'string') there.push(data.id)
        }
        for (let n = 0; n < 4; n += 1) await create({ field: n, value: n })
        for (const one of taken) {
          const id = at(there, one.of)
          if (one.is === 'create') await create(one)
          else if (one.is === 'change') {
            const { data } = await admin.get(`/mini/customer/detail?id=${id}`)
            const name = at(NAMES, one.field)
            const ext = { [name]: at(FIELDS[name]?.values ?? [], one.value) }
            await post('change', 'customer/update', { id, version: data?.record?.version ?? 0, ext })
          } else if (one.is === 'merge')
            await post('merge', 'customer/merge', { masterId: id, ids: [at(there, one.other)] })
          else if (one.is === 'release')
            await post('release', 'customer/release', { ids: [id], reason: 'other' })
          else if (one.is === 'claim') await post('claim', 'pool/customer/claim', { ids: [id] })
          else if (one.is === 'transfer')
            await post('transfer', 'customer/transfer', {
              ids: [id],
              toUserId: at(['u-demo', 'u-admin'], one.other),
            })
          else await post(one.is, `customer/${one.is}`, { ids: [id] })
        }
        const { description } = (await admin.get('/engine/web/module/detail?name=customer')).data

        expect(await mirrorFaults(server.database, TENANT, description)).toEqual([])
      }),
      { numRuns: 5 },
    )
    expect([...done]).toEqual(expect.arrayContaining(['create', 'change', 'release', 'delete', 'transfer']))
  }, 120_000)
})
