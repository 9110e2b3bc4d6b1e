import pg from 'pg'
import { addOwn, ownValues } from './own-fields.ts'

/** The size of the demo tenant 星海科技. */
export interface LargeSizes {
  readonly people: number
  readonly customers: number
  readonly leads: number
  readonly bussiness: number
  readonly follows: number
  /** Records of an own module; customers have own fields as well. */
  readonly visits: number
}

/** Issue 4, "Must hold". */
export const FULL: LargeSizes = {
  people: 600,
  customers: 200_000,
  leads: 100_000,
  bussiness: 60_000,
  follows: 500_000,
  visits: 200_000,
}

/** The sizes of the demo data: each record is copied until the target is reached. */
const SEEDED = { customer: 600, lead: 400, bussiness: 260, follow: 3_000 }
const TENANT = `(select id from tenant where name = '星海科技')`

type Columns = Readonly<Record<string, string>>

/**
 * Creates one large tenant in a PostgreSQL database with demo data (a server must have been started on it): its records, copied by SQL with different
 * names, numbers, owners and times. Needs a user who may disable triggers. Takes about three minutes for the full size.
 */
export async function makeLargeData(
  url: string,
  sizes: LargeSizes,
  print: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    const run = async (label: string, statement: string): Promise<void> => {
      const started = Date.now()
      const { rowCount } = await client.query(statement)
      print(`${label}: ${rowCount} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }
    // Pages are as full as those of rows that have been changed since, which is what makes reading a whole table dear.
    for (const table of ['customer', 'contact', 'record'])
      await client.query(`alter table ${table} set (fillfactor = 50)`)
    await addPeople(client, sizes.people)
    const copies = (of: keyof typeof SEEDED, size: number): number => Math.ceil(size / SEEDED[of]) - 1
    const customers = copies('customer', sizes.customers)
    const copy = async (table: string, times: number, columns: Columns, from = ''): Promise<void> =>
      run(table, await copyStatement(client, table, times, columns, from))
    await copy('customer', customers, {
      ...OWNED,
      ...FOUND,
      customer_no: `b.customer_no || '.' || k`,
      credit_code: 'null',
      first_owner_id: OWNED.owner_id ?? '',
      primary_contact_id: linked('primary_contact_id'),
      ext: ownValues(`b.id || k`),
    })
    await copy('lead', Math.min(customers, copies('lead', sizes.leads)), {
      ...OWNED,
      ...FOUND,
      customer_id: linked('customer_id'),
    })
    const deals = copies('bussiness', sizes.bussiness)
    const { mobile: _, mobile_norm: __, ...named } = FOUND
    await copy('bussiness', deals, {
      ...OWNED,
      ...named,
      // The owner of a customer also owns its opportunities; for a customer in a pool somebody is chosen.
      owner_id: `case when b.owner_id is null then null else coalesce(${ofCustomer('owner_id')}, p.user_id) end`,
      owner_dept_id: `case when b.owner_id is null then null else coalesce(${ofCustomer('owner_dept_id')}, p.dept_id) end`,
      bussiness_no: `b.bussiness_no || '.' || k`,
      customer_id: linked('customer_id'),
    })
    await copy('follow', Math.min(deals, copies('follow', sizes.follows)), {
      target_id: linked('target_id'),
      customer_id: linked('customer_id'),
      lead_id: linked('lead_id'),
      bussiness_id: linked('bussiness_id'),
      contract_id: 'null',
      author_id: `coalesce(${ofCustomer('owner_id')}, (select l.owner_id from lead l where l.tenant_id = b.tenant_id
        and l.id = ${linked('lead_id')}), ${person()})`,
      followed_at: `b.followed_at - (k % 700) * interval '37 minutes'`,
    })
    for (const table of ['customer', 'lead', 'bussiness'])
      await run(`owner_record of ${table}`, ownerRecords(table))
    // Without statistics the planner would compare each copy with each other.
    await client.query('analyze customer, lead, bussiness, follow')
    // The last follow-up of a record must be its latest, as the server maintains it.
    for (const table of ['customer', 'lead', 'bussiness'])
      await run(`last follow-up of ${table}`, lastFollows(table))
    await copy('contact', customers, {
      ...FOUND,
      name: 'b.name',
      customer_id: linked('customer_id'),
      last_follow_at: `case when ${ofCustomer('primary_contact_id')} = ${linked('id')} then ${ofCustomer('last_follow_at')} else b.last_follow_at end`,
    })
    await client.query('call crm_place_all()')
    await run('days', `select crm_stat_day_rebuild(${TENANT})`)
    const { rows } = await client.query<{ id: string }>(`select ${TENANT} as id`)
    await addOwn(client, rows[0]?.id ?? '', sizes.visits, print)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** The copy of the record that the original refers to. */
const linked = (column: string): string => `b.${column} || '.' || k`
/** A column of the copied customer. */
const ofCustomer = (column: string): string =>
  `(select c.${column} from customer c where c.tenant_id = b.tenant_id and c.id = ${linked('customer_id')})`

/** The first owner of each copy. */
function ownerRecords(table: string): string {
  return `insert into owner_record (tenant_id, id, entity, record_id, to_user, to_pool, kind, operator_id, at)
    select tenant_id, '${table}/' || id, '${table}', id, owner_id, pool_id, 'create', owner_id, created_at
    from ${table} where tenant_id = ${TENANT} and id like '%.%'`
}

function lastFollows(table: string): string {
  return `update ${table} r set last_follow_at = f.at from (select ${table}_id as id, max(followed_at) as at from follow
      where tenant_id = ${TENANT} and deleted_at is null group by 1) f
    where r.tenant_id = ${TENANT} and r.id = f.id and r.id like '%.%' and r.last_follow_at is distinct from f.at`
}

/** A person of the tenant, evenly distributed. */
const person = (): string =>
  `(array(select user_id from big_people order by n))[1 + abs(hashtext(b.id || k)) % (select count(*)::int from big_people)]`

/** Owner, department and times of a copy; records in a pool stay there. */
const OWNED: Columns = {
  owner_id: `case when b.owner_id is null then null else p.user_id end`,
  owner_dept_id: `case when b.owner_id is null then null else p.dept_id end`,
  created_at: `b.created_at - (k % 900) * interval '53 minutes'`,
  last_follow_at: `b.last_follow_at - (k % 900) * interval '41 minutes'`,
  next_follow_at: `b.next_follow_at + (k % 300) * interval '29 minutes'`,
  pool_entered_at: `b.pool_entered_at - (k % 500) * interval '47 minutes'`,
}
/** Name and phone of a copy, and its search columns. */
const FOUND: Columns = {
  name: `left(b.name, 90) || k`,
  name_norm: `b.name_norm || k`,
  mobile: `case when b.mobile is null then null else x.phone end`,
  mobile_norm: `case when cardinality(b.mobile_norm) = 0 then b.mobile_norm else array[x.phone] end`,
  search_text: `b.search_text || '|' || upper(b.name || k) || '|' || x.phone`,
  search_tokens: `array(select t from unnest(b.search_tokens) t where left(t, 1) <> '#')
    || array(select '#' || substr(x.phone, i, 4) from generate_series(1, 8) i)
    || array(select substr(k::text, i, 2) from generate_series(1, greatest(1, length(k::text) - 1)) i)`,
}

async function addPeople(client: pg.Client, people: number): Promise<void> {
  await client.query(`insert into app_user (id, account, password_hash)
    select 'big-' || n, 'big' || n, 'none' from generate_series(1, ${people}) n`)
  await client.query(`insert into membership (tenant_id, user_id, name, dept_id, supervisor_id)
    select ${TENANT}, 'big-' || n, '同事' || n, d.dept_id, d.supervisor_id from generate_series(1, ${people}) n,
      lateral (select dept_id, supervisor_id from membership where tenant_id = ${TENANT} and dept_id is not null
        and n > 0 order by md5(user_id || n) limit 1) d`)
  await client.query(`create temp table big_people as select user_id, dept_id, row_number() over (order by user_id) as n
    from membership where tenant_id = ${TENANT} and (user_id like 'big-%' or user_id in ('u-demo', 'u-manager'))`)
  await client.query('create unique index on big_people (n)')
  await client.query('analyze big_people')
}

/** A copy of every column of a table; those named are an expression of `b` (the original), `k` (the copy), `p` and `x`. */
async function copyStatement(
  client: pg.Client,
  table: string,
  times: number,
  given: Columns,
  from: string,
): Promise<string> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER'`,
    [table],
  )
  const columns: Columns = { id: `b.id || '.' || k`, ...given }
  const names = rows.map((row) => row.column_name)
  const values = names.map((name) => columns[name] ?? `b.${name}`)
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
    from ${table} b cross join generate_series(1, ${times}) k ${from}
    join big_people p on p.n = 1 + abs(hashtext(b.id || k)) % (select count(*)::int from big_people),
    lateral (select '13' || lpad((abs(hashtext(b.id || ':' || k)) % 1000000000)::text, 9, '0') as phone) x
    where b.tenant_id = ${TENANT} and b.deleted_at is null and b.id not like '%.%'
    on conflict do nothing`
}
