import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../../src/model/description.ts'
import { contractInEffect, type Deals, draft, makeProduct, openDeals, right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { type Sources, sampleFor } from './described-values.ts'

/**
 * Every field of every product module that the role screen offers: a role is denied all of them; no answer about the
 * record contains one, and none can be written. Modules and fields that are described later are included automatically.
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
] as const
type Module = (typeof MODULES)[number]

let deals: Deals
let offered: Readonly<Record<string, readonly string[]>>
let described: Readonly<Record<string, readonly Field[]>>
const ids = new Map<Module, string>()
const written = new Map<Module, JsonObject>()

/** The director, who has all permissions, with this field right. */
async function keep(module: Module, names: readonly string[], to: string): Promise<Client> {
  const rights = { [module]: Object.fromEntries(names.map((name) => [name, to])) }
  await deals.server.database.system((trx) =>
    sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb, permissions = '["*"]',
        scopes = '{"default":"all"}'
      where tenant_id = 'xinghai' and code = 'sales_director'`.execute(trx),
  )
  return deals.server.as('director')
}

beforeAll(async () => {
  deals = await openDeals()
  const { admin, demo, director, customerId, server } = deals
  const { rows } = await server.database.system((trx) =>
    sql<{ type_key: string; value: string }>`select type_key, min(value) as value from dict_item d
      where tenant_id = 'xinghai' and not disabled and not exists (select 1 from dict_item u
        where u.tenant_id = d.tenant_id and u.type_key = d.type_key and u.parent = d.value)
      group by type_key`.execute(trx),
  )
  const codes = Object.fromEntries(rows.map(({ type_key, value }) => [type_key, value]))
  const tree = right(await admin.post('/engine/web/role/list')).fields as JsonObject[]
  offered = Object.fromEntries(
    tree.map(({ value, children }) => [value, (children as JsonObject[]).map((one) => String(one.value))]),
  )
  const fields = MODULES.map(async (name): Promise<[string, readonly Field[]]> => {
    const { description } = right(await admin.get(`/engine/web/module/detail?name=${name}`))
    return [name, description.fields]
  })
  described = Object.fromEntries(await Promise.all(fields))
  const inEffect = await contractInEffect(deals)
  const make = async (module: string, body: JsonObject) =>
    right(await demo.post(`/mini/${module}/create`, body)).id as string
  const known = {
    product: await makeProduct(director, { name: '权限的产品' }),
    customer: customerId,
    contact: await make('contact', { customer_id: customerId, name: '先来的人', mobile: '13812345008' }),
    bussiness: await make('bussiness', { customer_id: customerId, amount: 1, expected_date: '2026-06-30' }),
    activity: right(
      await director.post('/mini/activity/create', {
        name: '先办的活动',
        type: 'salon',
        start_at: '2026-04-01 09:00:00',
        end_at: '2026-04-01 18:00:00',
      }),
    ).id,
    plan: right(
      await demo.post('/mini/plan/create', {
        contract_id: inEffect,
        plan_amount: 100,
        plan_date: '2026-05-01',
      }),
    ).id,
    contract: inEffect,
    flow: 'default',
  }
  for (const name of MODULES) {
    const sources: Sources = {
      ids: name === 'plan' ? { ...known, contract: (await draft(demo, customerId)).id } : known,
      codes,
    }
    const body: JsonObject = Object.fromEntries(
      (described[name] ?? [])
        .filter(
          ({ readonly, kind }) =>
            readonly !== 'always' && !['auto-number', 'formula', 'rollup'].includes(kind),
        )
        .map((field): [string, Json] => [field.name, sampleFor(name, field, sources)]),
    )
    const whole = ['contract', 'bussiness'].includes(name)
      ? { ...body, amount: 200, ...(name === 'contract' ? { plans: [] } : {}) }
      : body
    ids.set(name, right(await deals.admin.post(`/mini/${name}/create`, whole)).id)
    written.set(name, whole)
  }
}, 120_000)
afterAll(() => deals.server.close())

/** Paths of all properties of an answer that have a certain name. */
function saying(value: Json | undefined, names: ReadonlySet<string>, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => saying(one, names, `${at}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const isSaid = names.has(key) && one !== null && one !== '' && JSON.stringify(one) !== '[]'
    return isSaid ? [`${at}.${key}=${JSON.stringify(one)}`] : saying(one, names, `${at}.${key}`)
  })
}

/** Properties that are called as a field and do not tell its value: how long a stage lasts, who came, that a sum is not that of its lines. */
const UNTOLD: ReadonlySet<string> = new Set(['stage_days', 'member_count', 'amount_overridden'])

/** Properties that are called as something beside a hidden field, and are no field themselves: `industry_path`, `region_name`. */
function beside(
  value: Json | undefined,
  hidden: ReadonlySet<string>,
  fields: ReadonlySet<string>,
): readonly string[] {
  const stems = [...hidden].map((name) => `${name.replace(/_ids?$/, '')}_`)
  const keys = new Set<string>()
  const visit = (one: Json | undefined): void => {
    if (Array.isArray(one)) for (const item of one) visit(item)
    else if (typeof one === 'object' && one !== null)
      for (const [key, child] of Object.entries(one)) {
        if (!fields.has(key) && !UNTOLD.has(key) && stems.some((stem) => key.startsWith(stem))) keys.add(key)
        visit(child)
      }
  }
  visit(value)
  return saying(value, keys)
}

/** Values by which a field is recognised wherever it stands: those that nothing else of the record has. */
function telling(record: JsonObject, names: readonly string[]): readonly Json[] {
  const texts = (value: Json | undefined): readonly string[] =>
    (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  const all = Object.entries(record)
  return names
    .flatMap((name) => texts(record[name]).map((value) => ({ name, value })))
    .filter(
      ({ name, value }) =>
        value.length > 3 &&
        !all.some(([key, other]) => key !== name && !key.startsWith(name) && texts(other).includes(value)),
    )
    .map(({ value }) => value)
}

/** Names that answers use for something else: the row of a picker, a label beside an id. */
const ELSEWHERE: ReadonlySet<string> = new Set(['name', 'type', 'status', 'source', 'desc'])

const recordsIn = (data: JsonObject): Json => (data.list ?? data.record ?? data) as Json
const readable = (module: Module) => (offered[module] ?? []).filter((name) => !name.startsWith('ext.'))
/** Fields that can be hidden from a role. */
async function hideable(module: Module): Promise<readonly string[]> {
  const all = await Promise.all(
    readable(module).map(async (name) => {
      const body = {
        name: `试 ${module} ${name}`,
        permissions: [],
        field_rights: { [module]: { [name]: 'hidden' } },
      }
      return (await deals.admin.post('/engine/web/role/save', body)).meta.code === 200 ? [name] : []
    }),
  )
  return all.flat()
}

describe.each(MODULES)('fields of %s hidden by a role', (module) => {
  it('are in no list, detail, history, answer of a write or sheet', async () => {
    const names = await hideable(module)
    expect(names.length).toBeGreaterThan(2)
    const hidden = new Set(names)
    const id = ids.get(module) ?? ''
    const whole = recordsIn(right(await deals.admin.get(`/mini/${module}/detail?id=${id}`))) as JsonObject
    const seenBefore = saying(whole, hidden)
    expect(seenBefore.length, 'an administrator sees them').toBeGreaterThan(2)

    const who = await keep(module, names, 'hidden')
    const detail = right(await who.get(`/mini/${module}/detail?id=${id}`))
    const list = right(await who.post(`/mini/${module}/list`, { limit: 50 }))
    expect(saying(detail.record as Json, hidden)).toEqual([])
    expect(saying(recordsIn(list), new Set(names.filter((one) => !ELSEWHERE.has(one))))).toEqual([])
    const copy = ['customer', 'contact', 'lead', 'bussiness', 'follow'].includes(module)
      ? right(await who.post('/mini/sync/changes', { entities: [module] }))
      : { changed: [] }
    const copied = (copy.changed as JsonObject[]).filter((one) => one.id === id)
    const card = (recordsIn(list) as JsonObject[]).filter((one) => one.id === id)
    const fields = new Set((described[module] ?? []).map(({ name }) => name))
    const secrets = telling(whole, names)
    expect(secrets.length, 'something to look for').toBeGreaterThan(0)
    for (const shown of [detail.record as Json, (detail.labels ?? {}) as Json, card, copied]) {
      expect(beside(shown, new Set(names.filter((one) => !ELSEWHERE.has(one))), fields), module).toEqual([])
      for (const secret of secrets)
        expect(JSON.stringify(shown), module).not.toContain(JSON.stringify(secret))
    }
    const log = module === 'follow' ? null : await who.get(`/mini/${module}/log?id=${id}`)
    if (log !== null && log.meta.code === 200) expect(saying(recordsIn(log.data), hidden)).toEqual([])
    const labels = (described[module] ?? []).filter(({ name }) => hidden.has(name)).map(({ label }) => label)
    const job = await who.post(`/mini/${module}/export`, {})
    if (job.meta.code === 200) {
      const [titles = []] = await readSheetOf(deals.server, (await finished(who, job)).fileUrl)
      for (const label of labels) expect(titles, module).not.toContain(label)
    }
  })

  it('are in no picker and no search', async () => {
    const names = await hideable(module)
    const id = ids.get(module) ?? ''
    const whole = recordsIn(right(await deals.admin.get(`/mini/${module}/detail?id=${id}`))) as JsonObject
    const secrets = telling(whole, names)
    const who = await keep(module, names, 'hidden')
    await who.get(`/mini/${module}/detail?id=${id}`)
    const called = encodeURIComponent(String(whole.name ?? ''))
    const looks = [
      await who.get(`/mini/${module}/options?ids=${id}`),
      await who.get(`/mini/${module}/options?keyword=${called}`),
      await who.get(`/mini/search/global?keyword=${called}`),
      await who.get('/mini/search/recent'),
    ]

    // A picked product brings the new line of a contract, which has a unit of its own.
    for (const [index, { body }] of looks.entries())
      for (const secret of secrets)
        expect(body.replace(/"line":\{[^}]*\}/g, ''), `${module} ${index}`).not.toContain(String(secret))
  })

  it('neither filter nor sort', async () => {
    const names = await hideable(module)
    const who = await keep(module, names, 'masked')
    for (const name of names) {
      const filtered = await who.post(`/mini/${module}/list`, { filters: [{ field: name, op: 'none' }] })
      const sorted = await who.post(`/mini/${module}/list`, { sort: [{ field: name, dir: 'asc' }] })
      expect([name, filtered.meta.code, sorted.meta.code]).toEqual([name, 400, 400])
    }
  })

  it('are not written, and stay unchanged if a form sends back what it was shown', async () => {
    const before = right(await deals.admin.get(`/mini/${module}/detail?id=${ids.get(module)}`))
      .record as JsonObject
    const names = readable(module).filter((name) => name in (written.get(module) ?? {}))
    const fixed = (described[module] ?? [])
      .filter(({ readonly }) => readonly !== undefined)
      .map(({ name }) => name)
    const open = names.filter((name) => !fixed.includes(name))
    const who = module === 'follow' ? deals.admin : await keep(module, open, 'read')
    if (module === 'follow') return
    const record = right(await who.get(`/mini/${module}/detail?id=${ids.get(module)}`)).record as JsonObject
    const at = { id: ids.get(module) ?? '', version: record.version ?? 1 }
    for (const name of open) {
      const answer = await who.post(`/mini/${module}/update`, { ...at, [name]: null })
      expect([name, answer.meta.code, Object.keys(answer.meta.error?.fields ?? {})]).toEqual([
        name,
        405,
        [name],
      ])
    }
    const same = Object.fromEntries(open.map((name) => [name, record[name] ?? null]))
    const kept = await who.post(`/mini/${module}/update`, { ...at, ...same })
    expect([kept.meta.code, kept.meta.message]).toEqual([200, kept.meta.message])
    const after = right(await deals.admin.get(`/mini/${module}/detail?id=${ids.get(module)}`))
      .record as JsonObject
    for (const name of open) expect([name, after[name]]).toEqual([name, before[name]])
  })
})

describe('read-only fields of a role', () => {
  /** The columns of a product row on forms: none for what the server computes. */
  const asForm = (lines: readonly JsonObject[]) =>
    lines.map(({ below_min: _, ...row }) => ({ ...row, remark: row.remark ?? null }))
  const made = async () => {
    const { admin, demo, customerId } = deals
    const product_id = await makeProduct(admin, { price: 50 })
    const lines = [{ product_id, quantity: 3 }]
    const contract = await draft(demo, customerId, { amount: null, lines })
    const sale = right(
      await demo.post('/mini/bussiness/create', {
        customer_id: customerId,
        name: '只读明细的商机',
        amount: 150,
        expected_date: '2026-06-30',
        lines,
      }),
    )
    const quotation = right(
      await admin.post('/mini/m/quotation/create', {
        title: '只读明细的报价',
        customer_id: customerId,
        quoted_on: '2026-03-10',
        lines: [{ product_id, product_name: '只读明细的产品', unit: 'suite', price: 50, quantity: 3 }],
      }),
    )
    return { contract: contract.id, bussiness: sale.id, 'm/quotation': quotation.id }
  }

  it.each(['lines', 'amount'])('stay unchanged if a form sends them back: %s', async (kept) => {
    for (const [module, id] of Object.entries(await made())) {
      const who = await keep(module.replace('/', '.') as Module, [kept], 'read')
      const { record } = right(await who.get(`/mini/${module}/detail?id=${id}`))
      const lines = asForm(record.lines)
      const answer = await who.post(`/mini/${module}/update`, {
        id,
        version: record.version,
        remark: '别的改了',
        lines,
        ...(module === 'contract' ? { amount: null } : {}),
      })
      expect([module, answer.meta.code, answer.meta.error?.fields ?? null]).toEqual([module, 200, null])
      const { record: after } = right(await deals.admin.get(`/mini/${module}/detail?id=${id}`))
      expect([module, after.lines, after.amount, after.remark]).toEqual([
        module,
        record.lines,
        record.amount,
        '别的改了',
      ])
      const more = await who.post(`/mini/${module}/update`, {
        id,
        version: after.version,
        lines: [{ ...lines[0], quantity: 4 }],
      })
      if (kept === 'lines') expect([module, more.meta.code]).toEqual([module, 405])
    }
  })
})
