import type { ListAnswer } from '../../../contract/list.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity, PoolName } from '../../kernel/context/entities.ts'
import { ownCards } from '../../kernel/fields/ext-cards.ts'
import type { ReadyListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import type { Part } from '../../kernel/lists/question.ts'
import type { Pool } from '../../kernel/pools/pool.ts'
import { findInPool } from '../../kernel/records/find-in-pool.ts'
import { findInScope } from '../../kernel/records/find-record.ts'
import { removeFromPool } from '../../kernel/records/remove-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { type PoolRow, poolCard, poolListSpec } from './pool-list.ts'
import type { ClaimWait } from './pool-parts.ts'
import { refuseUnreleasable } from './unreleasable.ts'

/** A page of a pool that is asked for: which rows, and from when they may be claimed, by pool. */
interface PoolPage {
  readonly spec: ListSpec
  readonly request: ReadyListRequest
  readonly part: Part
  readonly waits: ReadonlyMap<string, ClaimWait>
}

/** What the calls of pools ask of a kind of record; all else is the same for all of them. */
export interface PoolKind {
  readonly entity: PoolName
  /** Who has the record, held, where the caller may give it back. @throws Refusal 404, 405, 409, 422 */
  readonly ownerToRelease: (id: string, pool: Pool, ctx: CallContext) => Promise<string>
  /** Holds a record of one of the caller's pools. @throws Refusal 404, 409 */
  readonly hold: (id: string, ctx: CallContext) => Promise<unknown>
  /** Puts a record of one of the caller's pools into the recycle bin. */
  readonly remove: (id: string, ctx: CallContext) => Promise<void>
  /** @param pools  ids of pools the caller belongs to */
  readonly list: (pools: readonly string[], ctx: CallContext) => ListSpec
  readonly page: (page: PoolPage, ctx: CallContext) => Promise<ListAnswer<object>>
}

/** Records of the product in their pools. */
export const salesPool = (entity: PoolEntity): PoolKind => ({
  entity,
  async ownerToRelease(id, pool, ctx) {
    const found = await findInScope(entity, id, ctx, 'release')
    if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('pool.in-pool'))
    await refuseUnreleasable(entity, found, pool, ctx)
    return found.owner_id
  },
  hold: (id, ctx) => findInPool(entity, id, ctx),
  remove: (id, ctx) => removeFromPool(entity, id, ctx),
  list: (pools, ctx) => poolListSpec(entity, pools, ctx),
  async page({ spec, request, part, waits }, ctx) {
    const list = openList<PoolRow>(spec, request, ctx, part)
    const page = await list.page((row) => poolCard(entity, row, waits, ctx))
    const cards = await ownCards(entity, ctx)?.(spec, request, page.list)
    return { ...page, list: cards ?? page.list }
  },
})
