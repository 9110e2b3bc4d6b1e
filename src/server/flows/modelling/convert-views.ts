import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { type ConvertedField, convertView } from '../../../model/convert-view.ts'
import { extName, ownName } from '../../../model/form-fields.ts'
import { labelText } from '../../../model/labels.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { json } from '../../kernel/db/json.ts'
import { isExtEntity } from '../../kernel/fields/ext-fields.ts'
import { plainMeanings } from '../../kernel/fields/value-words.ts'
import { derivedWords } from '../../kernel/model/tenant-pages.ts'
import type { KindChange } from './change-kind.ts'
import type { Saving } from './save-module.ts'

interface Row {
  readonly id: string
  readonly request: JsonObject
  readonly state: JsonObject
  readonly lost: readonly string[]
}

/**
 * Converts the conditions on a field in saved views to its new kind; conditions that cannot be converted are removed, and the owners are told
 * (`lost`).
 */
export async function convertViews(
  { module, field, was, made }: KindChange,
  { trx, caller }: Pick<Saving, 'trx' | 'caller'>,
): Promise<void> {
  const isExt = isExtEntity(module)
  const entity = isExt ? module : ownRights(module)
  const { rows } = await sql<Row>`select id, request, state, lost from saved_view
    where tenant_id = ${caller.tenantId} and entity = ${entity} for update`.execute(trx)
  if (rows.length === 0) return
  const reading = { meanings: await plainMeanings([was, made], { trx, caller }), words: derivedWords() }
  const turned: ConvertedField = {
    was,
    made,
    called: isExt ? extName(field) : field,
    drawn: isExt ? ownName(field) : field,
  }
  for (const row of rows) {
    const { request, state, lost } = convertView(row, turned, reading)
    const lostFields = lost ? [...new Set([...row.lost, labelText(made.label)])] : row.lost
    await sql`update saved_view set request = ${json(request)}, state = ${json(state)}, lost = ${json(lostFields)}
      where tenant_id = ${caller.tenantId} and id = ${row.id}`.execute(trx)
  }
}
