import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { FILE_GONE } from '../../../contract/envelope.ts'
import type { Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

const PLACE = '/engine/web/file/'
const NAME = new RegExp(`${PLACE}([\\w-]{1,64})`, 'g')

/**
 * Refuses a body that names a deleted file: a form can wait on a phone for longer than its uploads are kept. The client then uploads that file again
 * or removes it.
 */
export async function refuseDeletedFiles(trx: Trx, tenantId: string, body: unknown): Promise<void> {
  const named = new Map<string, string>()
  noteNames(body, '', named)
  if (named.size === 0) return
  const { rows } = await sql<{ id: string; name: string }>`select id, name from file
    where tenant_id = ${tenantId} and id = any(${[...named.keys()]}::text[]) and deleted_at is not null`.execute(
    trx,
  )
  const [first] = rows
  if (first === undefined) return
  const fields = rows.map(({ id, name }) => [named.get(id) ?? '', text('call.file-gone', { name })])
  refuse(422, FILE_GONE, text('call.file-gone', { name: first.name }), { fields: Object.fromEntries(fields) })
}

/** Collects the files in a value, each with its field. */
function noteNames(value: unknown, field: string, named: Map<string, string>): void {
  if (isObject(value as Json)) {
    for (const [key, item] of Object.entries(value as JsonObject))
      noteNames(item, field === '' ? key : `${field}.${key}`, named)
    return
  }
  if (typeof value !== 'string' && !Array.isArray(value)) return
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  if (!written.includes(PLACE)) return
  for (const [, id = ''] of written.matchAll(NAME)) named.set(id, field)
}
