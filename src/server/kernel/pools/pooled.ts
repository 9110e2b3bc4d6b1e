import { type RawBuilder, sql } from 'kysely'
import { labelText } from '../../../model/labels.ts'
import type { OwnRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { ENTITY_TEXT, type PoolEntity, type PoolName } from '../context/entities.ts'
import { linkToOwn } from '../notices/links.ts'
import { text } from '../text/text.ts'

const OWN = 'm.'

/** True for records of a tenant's own module, named by its rights. */
export const isOwnPool = (entity: PoolName): entity is OwnRights => entity.startsWith(OWN)

/** The own module behind such a name. */
export const moduleOf = (entity: OwnRights): string => entity.slice(OWN.length)

/** The table that holds what lies in pools of that name. */
export const pooledTable = (entity: PoolName): RawBuilder<unknown> =>
  sql.table(isOwnPool(entity) ? 'record' : entity)

/** Which rows of that table, `r`, are meant: own modules share theirs. */
export const isPooledRow = (entity: PoolName): RawBuilder<boolean> =>
  isOwnPool(entity) ? sql<boolean>`r.module = ${moduleOf(entity)}` : sql<boolean>`true`

/** What a row of that table, `r`, is called. */
export const pooledName = (entity: PoolName): RawBuilder<string> =>
  isOwnPool(entity) ? sql<string>`r.title` : sql<string>`r.name`

/** What a person calls such records. */
export function pooledLabel(entity: PoolName, { model }: Pick<CallContext, 'model'>): string {
  if (!isOwnPool(entity)) return text(ENTITY_TEXT[entity])
  const module = model.modules.get(moduleOf(entity))
  return module === undefined ? '' : labelText(module.label)
}

/** As what a message tells of such records: own ones say themselves where they are shown. */
export function messageSubject(entity: PoolName, ids: readonly string[], label: string) {
  if (!isOwnPool(entity)) return { about: { entity, ids }, words: {} }
  const link = linkToOwn(moduleOf(entity), ids)
  return { about: { entity: 'record' as const, ids, link }, words: { what: label } }
}

type PoolAction = 'view' | 'claim' | 'assign' | 'force' | 'del'

/** What the right to look into a pool of an own module is called, and what is done there by the right to do it anywhere. */
const OWN_RIGHTS: Readonly<Record<PoolAction, string>> = {
  view: 'pool',
  claim: 'claim',
  assign: 'assign',
  force: 'force',
  del: 'del',
}

/** The right to do something in pools of that name. */
export const poolRight = (entity: PoolName, action: PoolAction): string =>
  isOwnPool(entity) ? `${entity}:${OWN_RIGHTS[action]}` : `${entity satisfies PoolEntity}_pool:${action}`
