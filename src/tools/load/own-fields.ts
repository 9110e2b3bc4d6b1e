import type pg from 'pg'
import type { Field, ModuleDescription } from '../../model/description.ts'
import { indexedFields } from '../../model/indexed-fields.ts'
import { asMerged, type MergedModule } from '../../model/merge-module.ts'
import { calledBy } from '../../server/modules/own-records/called-by.ts'

/** Number of fields that no call filters by, besides the ten others. */
const PLAIN = 40

interface Made {
  readonly field: Field
  /** Its value as SQL over `h`, a hash of record and field. */
  readonly value: string
}

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** Ten fields for filters and sorts, of every class, from a value that every second record has to one that few have. */
const ASKED: readonly Made[] = [
  {
    field: {
      name: 'own_level',
      kind: 'choice',
      label: '级',
      filter: true,
      sort: true,
      options: options(['a', 'b', 'c', 'd', 'e']),
    },
    value: `to_jsonb(substr('abcde', 1 + h % 5, 1))`,
  },
  {
    field: { name: 'own_town', kind: 'text', label: '镇', filter: true, sort: true },
    value: `to_jsonb('镇' || h % 300)`,
  },
  {
    field: { name: 'own_code', kind: 'text', label: '码', filter: true },
    value: `to_jsonb('c' || h % 5000)`,
  },
  {
    field: { name: 'own_amount', kind: 'money', label: '额', filter: true, sort: true },
    value: `to_jsonb(round((h % 1000000) / 100.0, 2))`,
  },
  {
    field: { name: 'own_score', kind: 'integer', label: '分', filter: true, sort: true },
    value: `to_jsonb(h % 100)`,
  },
  {
    field: { name: 'own_renew', kind: 'day', label: '续', filter: true, sort: true },
    value: `to_jsonb(to_char(date '2025-01-01' + h % 730, 'YYYY-MM-DD'))`,
  },
  {
    field: { name: 'own_met', kind: 'moment', label: '见', filter: true, sort: true },
    value: `to_jsonb(to_char(timestamp '2025-01-01 08:00' + (h % 500000) * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS'))`,
  },
  {
    field: {
      name: 'own_tags',
      kind: 'choices',
      label: '签',
      filter: true,
      options: options(['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']),
    },
    value: `jsonb_build_array('t' || h % 8, 't' || (h + 3) % 8)`,
  },
  { field: { name: 'own_vip', kind: 'flag', label: '宾', filter: true }, value: `to_jsonb(h % 20 = 0)` },
  {
    field: { name: 'own_by', kind: 'user', label: '人', filter: true },
    value: `to_jsonb('big-' || 1 + h % 30)`,
  },
]
const OTHERS: readonly Made[] = Array.from({ length: PLAIN }, (_, n) => ({
  field: { name: `own_${n}`, kind: 'text', label: `项${n}` },
  value: `to_jsonb('值' || h % 9973)`,
}))

/** Fifty fields of the tenant. */
export const OWN_FIELDS: readonly Field[] = [...ASKED, ...OTHERS].map(({ field }) => field)

/** The tenant's own fields of a customer, and its module of visits. */
const CUSTOMER = { name: 'customer', fields: OWN_FIELDS }
const VISIT: ModuleDescription = {
  name: 'visit',
  label: '拜访记录',
  title: 'title',
  behaviours: ['owned', 'follow', 'history', 'recycle'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true, search: true },
    {
      name: 'customer_id',
      kind: 'ref',
      module: 'customer',
      label: '客户',
      filter: true,
      inverse: { tab: 'visits', label: '拜访' },
    },
    ...ASKED.slice(0, -1).map(({ field }) => field),
  ],
}

/** Own values of a record as SQL; every tenth is missing. @param key  distinguishes the records */
export function ownValues(key: string, made: readonly Made[] = [...ASKED, ...OTHERS]): string {
  const pairs = made.map(
    ({ field, value }, n) =>
      `'${field.name}', (select case when h % 10 < 9 then ${value} end from (select abs(hashtext(${key} || '/${n}')) as h) one)`,
  )
  const objects = Array.from(
    { length: Math.ceil(pairs.length / 25) },
    (_, part) => `jsonb_build_object(${pairs.slice(part * 25, part * 25 + 25).join(', ')})`,
  )
  return `jsonb_strip_nulls(${objects.join(' || ')})`
}

/** Defines the tenant's own fields and its module of visits, creates the visits, and mirrors both. @param tenant  its id */
export async function addOwn(
  client: pg.Client,
  tenant: string,
  visits: number,
  print: (line: string) => void,
): Promise<void> {
  for (const [kind, description] of [
    ['difference', CUSTOMER],
    ['own', VISIT],
  ] as const)
    await client.query(
      `insert into module_override (tenant_id, name, version, kind, description) values ($1, $2, 1, $3, $4)`,
      [tenant, description.name, kind, description],
    )
  await client.query(
    `update role set permissions = permissions || '["m.visit:view", "m.visit:add", "m.visit:edit"]' where tenant_id = $1`,
    [tenant],
  )
  const started = Date.now()
  await addVisits(client, tenant, visits)
  await mirror(client, tenant, 'customer', asMerged({ ...VISIT, ...CUSTOMER }, 'tenant'))
  await mirror(client, tenant, 'record', asMerged(VISIT, 'tenant'))
  print(`own fields: mirrored in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Number of visits that one statement creates. */
const VISITS_AT_ONCE = 5_000

/** The visits, with the words of their titles as search columns. */
async function addVisits(client: pg.Client, tenant: string, visits: number): Promise<void> {
  const module = asMerged(VISIT, 'tenant')
  for (let from = 1; from <= visits; from += VISITS_AT_ONCE) {
    const named = Array.from({ length: Math.min(VISITS_AT_ONCE, visits - from + 1) }, (_, at) => ({
      k: from + at,
      ...calledBy(module, { title: `拜访${from + at}` }, null),
    }))
    await client.query(
      `insert into record (tenant_id, module, id, title, owner_id, owner_dept_id, created_at, updated_at, ext,
          search_text, search_tokens, py, py_initial)
        select $1, 'visit', 'visit-' || k, '拜访' || k, p.user_id, p.dept_id, now() - k * interval '3 minutes', now(),
          ${ownValues('k::text', ASKED.slice(0, -1))} || jsonb_build_object('title', '拜访' || k),
          v.search_text, v.search_tokens, v.py, v.py_initial
        from jsonb_to_recordset($2::jsonb) v (k int, search_text text, search_tokens text[], py text, py_initial text)
        join big_people p on p.n = 1 + k % (select count(*)::int from big_people)`,
      [tenant, JSON.stringify(named)],
    )
  }
}

/** How each class reads a text value. */
const READINGS = {
  text: 'left(v.word, 500)',
  number: 'crm_own_number(v.word)',
  moment: 'crm_own_moment(v.word)',
  ref: 'left(v.word, 500)',
} as const

/** Mirrors the fields of all records of a module, one statement per class: `crm_own_fill` would take one record after another. */
async function mirror(
  client: pg.Client,
  tenant: string,
  source: string,
  module: MergedModule,
): Promise<void> {
  for (const { field, class: of, several, isSorted, isUnique } of indexedFields(module))
    await client.query(
      `insert into own_index (tenant_id, module, field, class, several, is_sorted, is_unique, state)
        values ($1, $2, $3, $4, $5, $6, $7, 'ready')`,
      [tenant, module.name, field, of, several, isSorted, isUnique],
    )
  for (const [of, reading] of Object.entries(READINGS))
    await client.query(
      `insert into own_${of} (tenant_id, module, field, value, record_id, place, owner_id, owner_dept_id, is_sorted, is_unique, is_held)
        select i.tenant_id, i.module, i.field, n.value, r.id, coalesce(v.place, 0), r.owner_id, r.owner_dept_id, i.is_sorted, i.is_unique,
          crm_own_held(i.tenant_id, i.module, r.owner_id)
        from own_index i join ${source} r on r.tenant_id = i.tenant_id ${source === 'record' ? 'and r.module = i.module' : ''}
        left join lateral crm_own_values(r.ext -> i.field, i.several) v on true cross join lateral (select ${reading} as value) n
        where i.tenant_id = $1 and i.module = $2 and i.class = $3 and r.deleted_at is null
          and (n.value is not null${of === 'ref' ? '' : ' or i.is_sorted'})`,
      [tenant, module.name, of],
    )
}
