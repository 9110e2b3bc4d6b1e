import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { markFilesDeleted, removeContentNow } from '../../kernel/files/deleted-files.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { noteErasure } from './delete-tenant.ts'
import { emptyFolder, writeLines } from './export-tenant.ts'
import { findTenant, tenantTables } from './tenant-tables.ts'

/** A person outside the company, identified by a mobile number, a telephone or a mail address. */
export interface PersonQuery {
  readonly code: string
  readonly value: string
  readonly now: number
}

export type PersonRows = Readonly<Record<string, number>>

interface Found {
  readonly tenantId: string
  readonly contacts: readonly string[]
  readonly leads: readonly string[]
  readonly names: readonly string[]
}

/** Letters, digits and characters of addresses: JSON does not escape them, and they have no meaning in patterns. */
const PLAIN = /^[\w.+@-]{5,80}$/
const MASK = '***'
const NOTHING = `nobody is known there by this number or address`

/**
 * Writes every row that mentions the person into an empty folder: those with the number or address in any column, and those that
 * belong to their contact or lead.
 *
 * @throws Error with a sentence if there is none
 */
export async function exportPerson(
  database: Database,
  wanted: PersonQuery,
  folder: string,
): Promise<PersonRows> {
  await emptyFolder(folder)
  return database.patiently(() =>
    database.system(async (trx) => {
      await sql`set transaction isolation level repeatable read, read only`.execute(trx)
      const found = await findPerson(trx, wanted)
      const rows: Record<string, number> = {}
      for (const table of await tenantTables(trx)) {
        const count = await writeLines(
          trx,
          join(folder, `${table}.jsonl`),
          sql`select to_jsonb(t)::text as line from ${sql.table(table)} t where t.tenant_id = ${found.tenantId}
            and ${occursIn([wanted.value, ...found.contacts, ...found.leads])}`,
        )
        if (count > 0) rows[table] = count
      }
      if (Object.keys(rows).length === 0) throw new Error(NOTHING)
      return rows
    }),
  )
}

/**
 * Anonymises a person in one transaction. Their contacts and leads stay, because contracts and statistics depend on them, without any personal
 * data; elsewhere the number or address is removed, and in rows of their records also the name. Earlier backups still contain the person.
 *
 * @throws Error with a sentence if there is none
 */
export async function erasePerson(
  database: Database,
  wanted: PersonQuery,
  store: FileStore,
): Promise<PersonRows> {
  const { rows, files, tenantId } = await database.patiently(() =>
    database.system(async (trx) => {
      const found = await findPerson(trx, wanted)
      const rows: Record<string, number> = {}
      const count = (table: string, more: number) => {
        if (more > 0) rows[table] = (rows[table] ?? 0) + more
      }
      const files = await blankFiles(trx, found, new Date(wanted.now))
      count('file', files.length)
      count('contact', await blankContacts(trx, found))
      count('lead', await blankLeads(trx, found))
      count('customer', await forgetNumbers(trx, found, wanted.value))
      for (const table of (await tenantTables(trx)).filter((name) => name !== OF_MEMBERS)) {
        count(table, await strike(trx, table, found.tenantId, wanted.value, sql<boolean>`true`))
        const ids = [...found.contacts, ...found.leads]
        if (ids.length === 0) continue
        for (const name of found.names)
          count(table, await strike(trx, table, found.tenantId, name, occursIn(ids)))
      }
      if (Object.keys(rows).length === 0) throw new Error(await notFoundReason(trx, found, wanted))
      await noteErasure(trx, { kind: 'person', tenant: wanted.code, rows, now: wanted.now })
      return { rows, files, tenantId: found.tenantId }
    }),
  )
  await removeContentNow(database, { store, tenantId, ids: files, at: wanted.now })
  return rows
}

async function findPerson(trx: Trx, { code, value }: PersonQuery): Promise<Found> {
  if (!PLAIN.test(value))
    throw new Error('a person is named by a mobile number, a telephone or a mail address')
  const { id: tenantId } = await findTenant(trx, code)
  const { rows: contacts } = await sql<{ id: string; name: string }>`select id, name from contact
    where tenant_id = ${tenantId} and ${value} in (mobile, mobile2, telephone, email, wechat)`.execute(trx)
  const { rows: leads } = await sql<{
    id: string
    name: string | null
  }>`select id, contact_name as name from lead
    where tenant_id = ${tenantId} and ${value} in (mobile, telephone, email, wechat)`.execute(trx)
  const names = [...contacts, ...leads].flatMap(({ name }) => (name && name.length > 1 ? [name] : []))
  return {
    tenantId,
    contacts: contacts.map((row) => row.id),
    leads: leads.map((row) => row.id),
    names: [...new Set(names)].filter((name) => JSON.stringify(name) === `"${name}"`),
  }
}

/** People who work for the tenant are stored here: they are not erased, even if somebody else entered their number. */
const OF_MEMBERS = 'membership'

async function notFoundReason(trx: Trx, { tenantId }: Found, { value }: PersonQuery): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from membership t
    where tenant_id = ${tenantId} and ${occursIn([value])} limit 1`.execute(trx)
  const [member] = rows
  return member === undefined
    ? NOTHING
    : `${member.name} works for this tenant, and people who do are not erased: their names stand under what they did`
}

/** The row `t` has one of these words anywhere. */
const occursIn = (words: readonly string[]) =>
  sql<boolean>`exists (select 1 from unnest(${[...words]}::text[]) w where position(w in to_jsonb(t)::text) > 0)`

/** File content may be stored outside the database, which a transaction does not cover. @returns the files whose content is to be removed now */
async function blankFiles(
  trx: Trx,
  { tenantId, contacts, leads }: Found,
  now: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{
    id: string
  }>`select f.id from file f where f.tenant_id = ${tenantId} and exists (
      select 1 from contact c where c.tenant_id = f.tenant_id and c.id = any(${[...contacts]}::text[]) and position(f.id in c.attachments::text) > 0
      union all
      select 1 from lead l where l.tenant_id = f.tenant_id and l.id = any(${[...leads]}::text[]) and position(f.id in l.attachments::text) > 0)`.execute(
    trx,
  )
  const ids = rows.map((row) => row.id)
  await sql`update file set name = ${text('person.erased')}, ext = '{}' where tenant_id = ${tenantId} and id = any(${ids}::text[])`.execute(
    trx,
  )
  await markFilesDeleted(trx, tenantId, { ids, now })
  return ids
}

/** A contact must have one way to contact it: a placeholder shows that there was one. */
async function blankContacts(trx: Trx, { tenantId, contacts }: Found): Promise<number> {
  const erasedName = text('person.erased')
  const columns = searchColumns({ kind: 'person', name: erasedName, phones: [] })
  const { numAffectedRows = 0n } =
    await sql`update contact set name = ${erasedName}, mobile = null, mobile2 = null, telephone = null,
      wechat = ${erasedName}, email = null, qq = null, gender = null, department = null, position = null, attitude = null, birthday = null,
      hobby = null, region = '{}', address = null, leave_reason = null, last_follow_content = null, remark = null, attachments = '[]',
      search_text = ${columns.search_text}, search_tokens = ${columns.search_tokens}::text[], py = ${columns.py},
      py_initial = ${columns.py_initial}, mobile_norm = '{}', ext = '{}'
    where tenant_id = ${tenantId} and id = any(${[...contacts]}::text[])`.execute(trx)
  return Number(numAffectedRows)
}

async function blankLeads(trx: Trx, { tenantId, leads }: Found): Promise<number> {
  const erasedName = text('person.erased')
  const columns = searchColumns({ kind: 'company', name: erasedName, phones: [] })
  const { numAffectedRows = 0n } =
    await sql`update lead set name = ${erasedName}, contact_name = null, mobile = null, telephone = null,
      wechat = ${erasedName}, email = null, position = null, region = '{}', address = null, demand = null, remark = null,
      last_follow_content = null, attachments = '[]', name_norm = ${columns.name_norm}, search_text = ${columns.search_text},
      search_tokens = ${columns.search_tokens}::text[], py = ${columns.py}, py_initial = ${columns.py_initial}, mobile_norm = '{}', ext = '{}'
    where tenant_id = ${tenantId} and id = any(${[...leads]}::text[])`.execute(trx)
  return Number(numAffectedRows)
}

/** A company that uses the person's number can no longer be found by it. */
async function forgetNumbers(trx: Trx, { tenantId }: Found, value: string): Promise<number> {
  const { rows } = await sql<{
    id: string
    name: string
    short_name: string | null
    customer_no: string
    mobile: string | null
    telephone: string | null
  }>`update customer set mobile = nullif(mobile, ${value}), telephone = nullif(telephone, ${value}),
      email = nullif(email, ${value}), wechat = nullif(wechat, ${value})
    where tenant_id = ${tenantId} and ${value} in (mobile, telephone, email, wechat)
    returning id, name, short_name, customer_no, mobile, telephone`.execute(trx)
  for (const row of rows) {
    const columns = searchColumns({
      kind: 'company',
      name: row.name,
      shortName: row.short_name,
      number: row.customer_no,
      phones: [row.mobile, row.telephone],
    })
    await sql`update customer set search_text = ${columns.search_text}, search_tokens = ${columns.search_tokens}::text[],
      mobile_norm = ${columns.mobile_norm}::text[] where tenant_id = ${tenantId} and id = ${row.id}`.execute(
      trx,
    )
  }
  return rows.length
}

/** Removes a word from every text of a table. @returns how many rows contained it */
async function strike(
  trx: Trx,
  table: string,
  tenantId: string,
  word: string,
  where: ReturnType<typeof sql<boolean>>,
): Promise<number> {
  const { rows: columns } = await sql<{
    name: string
    type: string
  }>`select a.attname as name,
      format_type(a.atttypid, null) as type from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and format_type(a.atttypid, null) in ('text', 'json', 'jsonb', 'text[]')
      and not exists (select 1 from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey))`.execute(
    trx,
  )
  if (columns.length === 0) return 0
  const struck = columns.map(({ name, type }) => {
    const column = sql.ref(name)
    return sql`${column} = replace(${column}::text, ${word}, ${MASK})::${sql.raw(type)}`
  })
  const has = columns.map(({ name }) => sql<boolean>`position(${word} in ${sql.ref(`t.${name}`)}::text) > 0`)
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} t set ${sql.join(struck)}
    where t.tenant_id = ${tenantId} and (${sql.join(has, sql` or `)}) and ${where}`.execute(trx)
  return Number(numAffectedRows)
}
