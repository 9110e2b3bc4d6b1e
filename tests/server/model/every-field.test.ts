import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import activity from '../../../schemas/modules/activity.json'
import bussiness from '../../../schemas/modules/bussiness.json'
import contact from '../../../schemas/modules/contact.json'
import contract from '../../../schemas/modules/contract.json'
import customer from '../../../schemas/modules/customer.json'
import follow from '../../../schemas/modules/follow.json'
import lead from '../../../schemas/modules/lead.json'
import payment from '../../../schemas/modules/payment.json'
import plan from '../../../schemas/modules/plan.json'
import product from '../../../schemas/modules/product.json'
import todo from '../../../schemas/modules/todo.json'
import type { Field, ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { writtenFields } from '../../../src/server/kernel/records/described.ts'
import { contractInEffect, type Deals, draft, makeProduct, openDeals, right } from '../business5/deals.ts'
import { type Sources, sampleFor, wrongFor } from './described-values.ts'

/**
 * Every writable field of a product description, through the API of its module: written, read back, and rejected by name
 * if invalid. A field that a module does not write, or writes without consulting its description, fails here.
 */
const MODULES = [
  'product',
  'activity',
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'plan',
  'payment',
  'follow',
  'todo',
] as const
type Module = (typeof MODULES)[number]

const described = {
  activity,
  bussiness,
  contact,
  contract,
  customer,
  follow,
  lead,
  payment,
  plan,
  product,
  todo,
} as unknown as Readonly<Record<Module, ModuleDescription>>
const model = {
  modules: new Map(MODULES.map((name) => [name, asMerged(described[name], 'vendor')] as const)),
  versions: new Map(),
  mirrored: new Map(),
}
const fieldsOf = (module: Module, writing: 'new' | 'change' = 'new'): readonly Field[] =>
  writtenFields(module, { model }, writing)

/** Checked on the record they refer to before anything else: their errors are reported alone. */
const FIRST: Readonly<Partial<Record<Module, readonly string[]>>> = {
  bussiness: ['customer_id', 'stage_id'],
  plan: ['contract_id'],
}
let deals: Deals
let sources: Sources
const bodies = new Map<Module, JsonObject>()
const ids = new Map<Module, string>()

beforeAll(async () => {
  deals = await openDeals()
  const { demo, director, customerId, server } = deals
  const { rows } = await server.database.system((trx) =>
    sql<{ type_key: string; value: string }>`select type_key, min(value) as value from dict_item d
      where tenant_id = 'xinghai' and not disabled and not exists (select 1 from dict_item u
        where u.tenant_id = d.tenant_id and u.type_key = d.type_key and u.parent = d.value)
      group by type_key`.execute(trx),
  )
  const make = async (module: string, body: JsonObject) =>
    right(await demo.post(`/mini/${module}/create`, body)).id as string
  const inEffect = await contractInEffect(deals)
  const first = {
    product: await makeProduct(director, { name: '字段齐全的产品' }),
    customer: customerId,
    contact: await make('contact', { customer_id: customerId, name: '先来的人', mobile: '13812345008' }),
    activity: right(
      await director.post('/mini/activity/create', {
        name: '先办的活动',
        type: 'salon',
        start_at: '2026-04-01 09:00:00',
        end_at: '2026-04-01 18:00:00',
      }),
    ).id,
    bussiness: await make('bussiness', { customer_id: customerId, amount: 1, expected_date: '2026-06-30' }),
  }
  const planned = right(
    await demo.post('/mini/plan/create', {
      contract_id: inEffect,
      plan_amount: 100,
      plan_date: '2026-05-01',
    }),
  ).id
  const codes = Object.fromEntries(rows.map(({ type_key, value }) => [type_key, value]))
  const known = { ...first, contract: inEffect, plan: planned, flow: 'default' }
  const refused: string[] = []
  for (const name of MODULES) {
    const own = name === 'plan' ? { ...known, contract: (await draft(demo, customerId)).id } : known
    sources = { ids: own, codes }
    const body = Object.fromEntries(
      fieldsOf(name).map((field): [string, Json] => [field.name, sampleFor(name, field, sources)]),
    )
    bodies.set(name, bodyOf(name, body))
    const answer = await deals.admin.post(`/mini/${name}/create`, bodies.get(name) ?? {})
    if (answer.meta.code === 200) ids.set(name, answer.data.id)
    else refused.push(`${name}: ${answer.body}`)
  }
  if (refused.length > 0) throw new Error(refused.join('\n'))
}, 120_000)
afterAll(() => deals.server.close())

/** Values that depend on each other: an amount on its lines, a parent on the absence of a cycle. */
function bodyOf(module: Module, body: JsonObject): JsonObject {
  if (module === 'contract')
    return { ...body, amount: 200, plans: [{ plan_amount: 20, plan_date: '2026-07-01' }] }
  if (module === 'bussiness') return { ...body, amount: 200 }
  return body
}

/** Stored as the effects of a follow-up, and not returned. */
const UNSHOWN: Readonly<Partial<Record<Module, readonly string[]>>> = {
  follow: ['contact_ids', 'audio', 'mention_ids'],
}

/** Columns of a record that no call returns. */
async function unshown(module: Module): Promise<JsonObject> {
  const names = UNSHOWN[module] ?? []
  if (names.length === 0) return {}
  const { rows } = await deals.server.database.system((trx) =>
    sql<JsonObject>`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(module)}
      where id = ${ids.get(module)}`.execute(trx),
  )
  return rows[0] ?? {}
}

const record = async (module: Module): Promise<JsonObject> =>
  right(await deals.admin.get(`/mini/${module}/detail?id=${ids.get(module)}`)).record

/** Whether the value read equals the value written; the server may add properties. */
function says(read: Json | undefined, written: Json | undefined): boolean {
  if (Array.isArray(written))
    return (
      Array.isArray(read) && written.length === read.length && written.every((one, i) => says(read[i], one))
    )
  if (isObject(written))
    return isObject(read) && Object.entries(written).every(([name, value]) => says(read[name], value))
  return read === written
}

describe.each(MODULES)('fields of %s', (module) => {
  it('are read as they were written', async () => {
    const read = { ...(await record(module)), ...(await unshown(module)) }
    const body = bodies.get(module) ?? {}
    const lost = fieldsOf(module).filter(({ name }) => name !== 'plans' && !says(read[name], body[name]))

    expect(Object.values(body)).not.toContain(null)
    expect(lost.map(({ name }) => [name, body[name], read[name]])).toEqual([])
  })

  it('that are invalid are refused when a record is created, each by its name', async () => {
    const first = FIRST[module] ?? []
    const asked = fieldsOf(module).filter(({ name }) => !first.includes(name))
    const wrong = Object.fromEntries(asked.map((field) => [field.name, wrongFor(field)]))
    const answer = await deals.admin.post(`/mini/${module}/create`, { ...bodies.get(module), ...wrong })
    const alone = await Promise.all(
      first.map((name) =>
        deals.admin.post(`/mini/${module}/create`, { ...bodies.get(module), [name]: 'no id at all!' }),
      ),
    )

    expect(answer.meta.code).toBe(400)
    expect(Object.keys(answer.meta.error?.fields ?? {})).toEqual(
      expect.arrayContaining(asked.map(({ name }) => name)),
    )
    for (const { meta } of alone) expect([400, 404]).toContain(meta.code)
  })

  it('that are invalid, cleared although required, or fixed are refused when a record is changed', async () => {
    const { version } = await record(module)
    const update = async (fields: JsonObject) =>
      deals.admin.post(`/mini/${module}/update`, {
        id: ids.get(module) ?? '',
        version: version ?? 1,
        ...fields,
      })
    const asked = fieldsOf(module, 'change')
    const open = asked.map(({ name }) => name)
    const fixed = fieldsOf(module)
      .map(({ name }) => name)
      .filter((name) => !open.includes(name) && !['target_type', 'target_id'].includes(name))
    const needed = asked.filter(({ required }) => required === true).map(({ name }) => name)
    const body = bodies.get(module) ?? {}
    const answers = [
      [open, await update(Object.fromEntries(asked.map((field) => [field.name, wrongFor(field)])))],
      [needed, await update(Object.fromEntries(needed.map((name) => [name, null])))],
      [fixed, await update(Object.fromEntries(fixed.map((name) => [name, body[name] ?? null])))],
    ] as const

    for (const [names, answer] of answers.filter(([names]) => names.length > 0)) {
      expect(answer.meta.code).toBe(400)
      expect(Object.keys(answer.meta.error?.fields ?? {})).toEqual(expect.arrayContaining([...names]))
    }
  })
})
