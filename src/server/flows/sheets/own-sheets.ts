import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type OwnRights, ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { extValue } from '../../kernel/lists/ext-sql.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'
import { ownListSpec, ROW } from '../../modules/own-records/list-spec.ts'
import { createOwnRecord, updateOwnRecord } from '../../modules/own-records/write-record.ts'
import { forColleague } from './holder-of-row.ts'
import type { KnownRecord } from './known-records.ts'
import { column, moduleColumns, type SheetColumn } from './sheet-column.ts'
import type { ExportKind } from './sheet-kinds.ts'

/** A module of a tenant's own, by the path of its calls. */
export type OwnEntity = `m/${string}`

export const isOwnEntity = (entity: string): entity is OwnEntity => entity.startsWith('m/')
export const ownEntity = (name: string): OwnEntity => `m/${name}`
export const rightsOfEntity = (entity: OwnEntity): OwnRights => ownRights(entity.slice('m/'.length))

/** The module; 404 if it no longer exists. */
export function moduleOfEntity(entity: OwnEntity, { model }: CallContext): MergedModule {
  const found = ownModules(model).find(({ name }) => ownEntity(name) === entity)
  return found ?? refuse(404, 'NOT_FOUND', text('model.unknown'))
}

/** How records of the module are exported. */
export function ownExport(module: MergedModule, { model }: Pick<CallContext, 'model'>): ExportKind {
  const isOwned = module.behaviours.includes('owned')
  return {
    entity: ownEntity(module.name),
    list: ownListSpec(module, model),
    before: [
      ...(module.number === undefined ? [] : [column('record_no', 'derived.number')]),
      ...(isOwned ? [column('owner_name', 'sheet.owner')] : []),
      column('created_at', 'sheet.created', { kind: 'moment' }),
      ...moduleColumns(module),
    ],
    shown: (row) => row,
  }
}

/** Its number field, by which a row of a file refers to a record; a new one gets the next number. */
export const numberColumn = ({ label }: MergedModule): SheetColumn =>
  column('record_no', 'derived.number', {
    import: [`${labelText(label)}${text('derived.number')}`],
    isFilled: true,
  })

/** Writes a row of a file: as a new record for its owner, or into the existing record found by its number, by a unique field, or by its title. */
export async function writeOwnRow(
  entity: OwnEntity,
  { record_no = '', owner_name = '', ext = null }: JsonObject,
  isUpdate: boolean,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const module = moduleOfEntity(entity, ctx)
  const values = isObject(ext) ? ext : {}
  const numbered = record_no === '' ? null : await numberedOwn(module, String(record_no), ctx)
  if (!isUpdate && numbered?.[0] !== undefined) refuse(409, 'DUPLICATE', text('sheet.known'))
  const [known, ...others] = isUpdate ? (numbered ?? (await knownOwn(module, values, ctx))) : []
  if (others.length > 0) refuse(409, 'DUPLICATE', text('sheet.several'))
  if (known !== undefined)
    return updateOwnRecord(module, { ...values, id: known.id, version: known.version }, ctx)
  return forColleague(rightsOfEntity(entity), String(owner_name), ctx, (owner) =>
    createOwnRecord(module, owner === null ? values : { ...values, owner_id: owner.user_id }, ctx),
  )
}

async function numberedOwn(
  module: MergedModule,
  number: string,
  { trx, caller }: CallContext,
): Promise<readonly KnownRecord[]> {
  const { rows } = await sql<KnownRecord>`select r.id, r.version from record r
    where ${isOwnVisible(caller, module, ROW)} and r.record_no = ${number} order by r.id limit 2`.execute(trx)
  return rows
}

async function knownOwn(
  module: MergedModule,
  values: JsonObject,
  { trx, caller, zone }: CallContext,
): Promise<readonly KnownRecord[]> {
  const by =
    module.fields.find(({ name, unique }) => unique !== undefined && values[name] !== undefined) ??
    module.fields.find(({ name }) => name === module.title)
  const value = by === undefined ? undefined : values[by.name]
  if (by === undefined || value === undefined || value === null) return []
  const { rows } = await sql<KnownRecord>`select r.id, r.version from record r
    where ${isOwnVisible(caller, module, ROW)} and ${extValue(ROW, by, zone)}::text = ${String(value)}
    order by r.id limit 2`.execute(trx)
  return rows
}
