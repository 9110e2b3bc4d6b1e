import { type RawBuilder, sql } from 'kysely'
import type { MessageLink } from '../../../contract/message.ts'
import { pathOf } from '../../../model/derived/parts.ts'
import { labelText } from '../../../model/labels.ts'
import type { OwnRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { ENTITY_TEXT, type PoolEntity, type PoolName } from '../context/entities.ts'
import { linkIn, linkToOwn, POOL_PAGES } from '../notices/links.ts'
import { text } from '../text/text.ts'

const OWN = 'm.'

/** True for the name of a tenant's own module, in the form of its rights: `m.<module>`. */
export const isOwnPool = (entity: PoolName): entity is OwnRights => entity.startsWith(OWN)

/** The name of the own module. */
export const moduleOf = (entity: OwnRights): string => entity.slice(OWN.length)

/** The table of the entity's records. */
export const pooledTable = (entity: PoolName): RawBuilder<unknown> =>
  sql.table(isOwnPool(entity) ? 'record' : entity)

/** The condition for the entity's rows `r`: own modules share a table. */
export const isPooledRow = (entity: PoolName): RawBuilder<boolean> =>
  isOwnPool(entity) ? sql<boolean>`r.module = ${moduleOf(entity)}` : sql<boolean>`true`

/** The name of a row `r`. */
export const pooledName = (entity: PoolName): RawBuilder<string> =>
  isOwnPool(entity) ? sql<string>`r.title` : sql<string>`r.name`

/** The label of the entity's records. */
export function pooledLabel(entity: PoolName, { model }: Pick<CallContext, 'model'>): string {
  if (!isOwnPool(entity)) return text(ENTITY_TEXT[entity])
  const module = model.modules.get(moduleOf(entity))
  return module === undefined ? '' : labelText(module.label)
}

/** The subject of a message about records; records of own modules need a link and a label. */
export function messageSubject(entity: PoolName, ids: readonly string[], label: string) {
  if (!isOwnPool(entity)) return { about: { entity, ids }, words: {} }
  const link = linkToOwn(moduleOf(entity), ids)
  return { about: { entity: 'record' as const, ids, link }, words: { what: label } }
}

/** Number of names in a message. */
export const NAMED = 5

/** The names of some records for a message: only of those that its receiver has, or had. */
export async function someNames(
  entity: PoolName,
  ids: readonly string[],
  { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
  }>`select ${pooledName(entity)} as name from ${pooledTable(entity)} r
    where r.tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and r.id = any(${ids.slice(0, NAMED)}::text[])
    order by r.id`.execute(trx)
  return rows.map(({ name }) => name)
}

const OWN_PAGES = ['detail', 'pool'] as const

/** Where records in a pool are shown: one itself, otherwise the pool. */
export function linkToPooled(entity: PoolName, poolId: string, ids: readonly string[]): MessageLink {
  const pages = isOwnPool(entity)
    ? OWN_PAGES.map((page) => pathOf(moduleOf(entity), page))
    : POOL_PAGES[entity]
  const [single = '', many = ''] = pages
  return linkIn([single, many], ids, { poolId })
}

type PoolAction = 'view' | 'claim' | 'assign' | 'force' | 'del'

/** The names of rights for actions in pools of own modules. */
const OWN_RIGHTS: Readonly<Record<PoolAction, string>> = {
  view: 'pool',
  claim: 'claim',
  assign: 'assign',
  force: 'force',
  del: 'del',
}

/** The right for an action in the pools of an entity. */
export const poolRight = (entity: PoolName, action: PoolAction): string =>
  isOwnPool(entity) ? `${entity}:${OWN_RIGHTS[action]}` : `${entity satisfies PoolEntity}_pool:${action}`
