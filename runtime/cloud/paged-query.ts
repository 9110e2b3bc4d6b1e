import { type Json, type JsonObject, ownValue } from '../core/json.ts'
import type { DbChain } from './database/chain.ts'
import type { Database } from './database/database.ts'

/** A query as a page or widget declares it, with the names of the page format (PROTOCOL 1.8). */
export interface CloudQuery {
  readonly collection: string | readonly string[]
  readonly action?: string
  readonly where?: string | JsonObject
  readonly field?: string
  readonly foreignKey?: string
  readonly groupby?: string
  readonly groupField?: string
  readonly distinct?: boolean
  readonly orderby?: string
  /** From 1; default 1. */
  readonly pageCurrent?: number
  /** Default 20; the data picker uses 500. */
  readonly pageSize?: number
  readonly getcount?: boolean
  readonly gettree?: boolean
  readonly gettreepath?: boolean
  readonly startwith?: string
  /** Depth of a tree; default 10. */
  readonly limitlevel?: number
}

export interface QueryPage {
  readonly data: readonly Json[]
  /** Only if `getcount` is set. */
  readonly count?: number
  /** True if there is no further page. */
  readonly ended: boolean
}

const PAGE_SIZE = 20
const TREE_DEPTH = 10

/** Sends the query for one page. Rejects with a CloudError. */
export async function runQuery(db: Database, query: CloudQuery): Promise<QueryPage> {
  const answer = await buildQuery(db, query).get(getOptions(query))
  const inner = ownValue(answer, 'result') ?? answer
  const found = ownValue(inner, 'data')
  const data = Array.isArray(found) ? (found as readonly Json[]) : []
  const size = query.pageSize ?? PAGE_SIZE
  const count = query.getcount ? ownValue(inner, 'count') : undefined
  if (typeof count !== 'number') return { data, ended: data.length < size }
  return { data, count, ended: (query.pageCurrent ?? 1) * size >= count }
}

/** The chain before `get`; empty parts are left out. */
function buildQuery(db: Database, query: CloudQuery): DbChain {
  const names = typeof query.collection === 'string' ? [query.collection] : query.collection
  let chain = query.action ? db.action(query.action).collection(...names) : db.collection(...names)
  if (typeof query.where === 'string' ? query.where : Object.keys(query.where ?? {}).length > 0) {
    chain = chain.where(query.where)
  }
  if (query.field) chain = chain.field(query.field)
  if (query.foreignKey) chain = chain.foreignKey(query.foreignKey)
  if (query.groupby) chain = chain.groupBy(query.groupby)
  if (query.groupField) chain = chain.groupField(query.groupField)
  if (query.distinct) chain = chain.distinct()
  if (query.orderby) chain = chain.orderBy(query.orderby)
  const size = query.pageSize ?? PAGE_SIZE
  return chain.skip(size * ((query.pageCurrent ?? 1) - 1)).limit(size)
}

function getOptions(query: CloudQuery): JsonObject {
  const tree = { limitLevel: query.limitlevel ?? TREE_DEPTH, startWith: query.startwith ?? '' }
  return {
    getCount: query.getcount ?? false,
    ...(query.gettree ? { getTree: tree } : {}),
    ...(query.gettreepath ? { getTreePath: tree } : {}),
  }
}
