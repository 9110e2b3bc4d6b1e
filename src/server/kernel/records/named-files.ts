import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { FILE_GONE } from '../../../contract/envelope.ts'
import type { Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

const PLACE = '/engine/web/file/'
const NAME = new RegExp(`${PLACE}([\\w-]{1,64})`, 'g')
/** The whole text is the address of a file. */
const ADDRESS = new RegExp(`^${PLACE}[\\w-]{1,64}(?:\\?\\S*)?$`)
/** Tables of records with files that people attach; records of own modules share one. */
const TABLES: ReadonlySet<string> = new Set(
  'activity bussiness contact contract customer follow lead payment product'.split(' '),
)

/** Who writes what. */
interface FileWrite {
  readonly tenantId: string
  readonly userId: string
  /** The table, or the own module, of the record. */
  readonly entity: string
  readonly body: unknown
  /** The files in a text whose addresses were signed for the tenant. */
  readonly signedIn: (text: string, tenantId: string) => ReadonlySet<string>
}

/** A file that a body names. */
interface NamedFile {
  field: string
  /** Attached by this body: not only mentioned in a longer text or in a page. */
  attachedAs: string | null
  isSigned: boolean
}

/**
 * Refuses a body that names files that it cannot keep. A deleted one: a form can wait on a phone for longer than its uploads are kept, and the
 * client then uploads that file again or removes it. One that is unknown, or that somebody else uploaded and no answer ever showed: records that
 * the writer sees carry addresses with our signature. What a record already has may stay.
 */
export async function refuseUnusableFiles(trx: Trx, write: FileWrite): Promise<void> {
  const named = new Map<string, NamedFile>()
  noteNames(write.body, '', { named, write })
  if (named.size === 0) return
  const { rows } = await sql<{
    id: string
    name: string
    gone: boolean
    created_by: string | null
  }>`select id,
    name, deleted_at is not null as gone, created_by from file
    where tenant_id = ${write.tenantId} and id = any(${[...named.keys()]}::text[])`.execute(trx)
  refuseGone(
    rows.filter(({ gone }) => gone),
    named,
  )
  const uploader = new Map(rows.map(({ id, created_by }) => [id, created_by]))
  const foreign = [...named].filter(
    ([id, { attachedAs, isSigned }]) =>
      attachedAs !== null && (!uploader.has(id) || (!isSigned && uploader.get(id) !== write.userId)),
  )
  if (foreign.length === 0) return
  const kept = await filesOfRecord(trx, write)
  const refused = foreign.filter(([id]) => !kept.has(id)).map(([, file]) => file)
  const faults = refused.map(({ field, attachedAs }) => [
    field,
    text('call.file-foreign', { name: attachedAs ?? '' }),
  ])
  if (faults.length > 0)
    refuse(400, 'VALIDATION', faults[0]?.[1] ?? '', { fields: Object.fromEntries(faults) })
}

function refuseGone(
  gone: readonly { readonly id: string; readonly name: string }[],
  named: ReadonlyMap<string, NamedFile>,
): void {
  const [first] = gone
  if (first === undefined) return
  const fields = gone.map(({ id, name }) => [named.get(id)?.field ?? '', text('call.file-gone', { name })])
  refuse(422, FILE_GONE, text('call.file-gone', { name: first.name }), { fields: Object.fromEntries(fields) })
}

/** Files attached to the record that is written; its words may mention any. Asked only before a refusal. */
async function filesOfRecord(trx: Trx, write: FileWrite): Promise<ReadonlySet<string>> {
  const id = isObject(write.body as Json) ? (write.body as JsonObject).id : null
  if (typeof id !== 'string') return new Set()
  const { rows } = await sql<{ written: Json }>`select to_jsonb(t) as written
    from ${sql.table(TABLES.has(write.entity) ? write.entity : 'record')} t
    where t.tenant_id = ${write.tenantId} and t.id = ${id}`.execute(trx)
  const named = new Map<string, NamedFile>()
  for (const { written } of rows) noteNames(written, '', { named, write })
  return new Set([...named].flatMap(([name, { attachedAs }]) => (attachedAs === null ? [] : [name])))
}

interface Notes {
  readonly named: Map<string, NamedFile>
  readonly write: FileWrite
}

/** Collects the files in a value, each with its field. */
function noteNames(value: unknown, field: string, notes: Notes): void {
  if (isObject(value as Json))
    for (const [key, item] of Object.entries(value as JsonObject))
      noteNames(item, field === '' ? key : `${field}.${key}`, notes)
  else if (Array.isArray(value)) for (const item of value) noteItem(item, field, notes)
  else if (typeof value === 'string') {
    // A picture is a field with nothing but its address.
    const isPicture = !field.includes('.') && ADDRESS.test(value)
    noteText(value, { field, attachedAs: isPicture ? text('call.picture') : null }, notes)
  }
}

/** An item of a list: an uploaded file, or something that may mention some. */
function noteItem(item: unknown, field: string, notes: Notes): void {
  const { name, url } = (isObject(item as Json) ? item : {}) as JsonObject
  const isFile = typeof url === 'string' && ADDRESS.test(url)
  const written = typeof item === 'string' ? item : (JSON.stringify(item) ?? '')
  // Told by its address where it has no name.
  const called = typeof name === 'string' && name !== '' ? name : url
  noteText(isFile ? url : written, { field, attachedAs: isFile ? String(called) : null }, notes)
}

function noteText(
  written: string,
  { field, attachedAs }: Pick<NamedFile, 'field' | 'attachedAs'>,
  { named, write }: Notes,
): void {
  if (!written.includes(PLACE)) return
  const signed = write.signedIn(written, write.tenantId)
  for (const [, id = ''] of written.matchAll(NAME)) {
    const known = named.get(id)
    named.set(id, {
      field,
      attachedAs: attachedAs ?? known?.attachedAs ?? null,
      isSigned: signed.has(id) || known?.isSigned === true,
    })
  }
}
