import { nearestName } from '../../../../runtime/core/index.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { connectionsIn } from '../../../contract/connection.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { ConnectionSetting } from './setting.ts'
import './tables.ts'

/** A connection as it is stored. */
export interface StoredConnection {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly setting: ConnectionSetting
  /** Encrypted, by `partKey`. */
  readonly secrets: Readonly<Record<string, string>>
  readonly version: number
}

/** The tenant's connection of that name or id; null when there is none. */
export async function findConnection(
  trx: Trx,
  tenantId: string,
  by: { readonly name: string } | { readonly id: string },
): Promise<StoredConnection | null> {
  const [column, value] = 'name' in by ? (['name', by.name] as const) : (['id', by.id] as const)
  const row = await trx
    .selectFrom('connection')
    .select(['id', 'name', 'label', 'setting', 'secrets', 'version'])
    .where('tenant_id', '=', tenantId)
    .where(column, '=', value)
    .executeTakeFirst()
  // Written by `saveConnection` alone.
  return row === undefined ? null : (row as unknown as StoredConnection)
}

/** The context of an encrypted secret: it cannot be decrypted for another connection. */
export const secretContext = (tenantId: string, id: string): string => `${tenantId}/${id}`

/** A connection that a document uses but the tenant does not have: where, and which one may be meant. */
export interface UnknownConnection {
  readonly at: string
  readonly name: string
  readonly nearest: string | null
}

export async function unknownConnections(
  trx: Trx,
  tenantId: string,
  document: Json,
): Promise<readonly UnknownConnection[]> {
  const named = connectionsIn(document)
  if (named.length === 0) return []
  const rows = await trx.selectFrom('connection').select('name').where('tenant_id', '=', tenantId).execute()
  const names = rows.map(({ name }) => name)
  return named
    .filter(({ name }) => !names.includes(name))
    .map(({ at, name }) => ({ at, name, nearest: nearestName(name, names) }))
}
