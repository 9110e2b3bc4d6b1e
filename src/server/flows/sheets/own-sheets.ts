import { sql } from 'kysely'
import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { type OwnRights, ownRights } from '../../kernel/auth/permissions.ts'
import { extValue } from '../../kernel/lists/ext-sql.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'
import { ownListSpec, ROW } from '../../modules/own-records/list-spec.ts'
import { createOwnRecord, updateOwnRecord } from '../../modules/own-records/write-record.ts'
import type { KnownRecord } from './known-records.ts'
import { column, moduleColumns } from './sheet-column.ts'
import type { ExportKind } from './sheet-kinds.ts'

/** A module of a tenant's own, by the path of its calls. */
export type OwnEntity = `m/${string}`

export const isOwnEntity = (entity: string): entity is OwnEntity => entity.startsWith('m/')
export const ownEntity = (name: string): OwnEntity => `m/${name}`
export const rightsOfEntity = (entity: OwnEntity): OwnRights => ownRights(entity.slice('m/'.length))

/** The module behind it; 404 when it is gone. */
export function moduleOfEntity(entity: OwnEntity, { model }: Asking): MergedModule {
  const found = ownModules(model).find(({ name }) => ownEntity(name) === entity)
  return found ?? refuse(404, 'NOT_FOUND', text('model.unknown'))
}

/** How records of the module are written to a sheet. */
export function ownExport(module: MergedModule, { model }: Pick<Asking, 'model'>): ExportKind {
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

/** Writes a row of a file: as a new record, or into the one it stands for by what is unique, else by its title. */
export async function writeOwnRow(
  entity: OwnEntity,
  row: JsonObject,
  isUpdate: boolean,
  asking: Asking,
): Promise<void> {
  const module = moduleOfEntity(entity, asking)
  const values = isObject(row.ext) ? row.ext : {}
  const [known, ...others] = isUpdate ? await knownOwn(module, values, asking) : []
  if (others.length > 0) refuse(409, 'DUPLICATE', text('sheet.several'))
  if (known === undefined) await createOwnRecord(module, values, asking)
  else await updateOwnRecord(module, { ...values, id: known.id, version: known.version }, asking)
}

async function knownOwn(
  module: MergedModule,
  values: JsonObject,
  { trx, caller, zone }: Asking,
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
