import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { memberPools, type Pool } from '../../kernel/pools/pool.ts'
import { messageSubject, pooledLabel, poolRight } from '../../kernel/pools/pooled.ts'
import { announce } from '../../kernel/records/announce.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import { findReceiver } from '../../kernel/records/member.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { takeFromPool } from './take.ts'

const MAX_PEOPLE = 50

/**
 * Assigns records of the caller's pools to a person, or in turn to several (DOMAIN 1.2.2): without quota and cool-down; the
 * holding cap applies unless the caller may force. Each record succeeds or fails independently.
 *
 * @param body  `ids` ≤ 200, `toUserIds[]`, `mode` "single" or "roundRobin", `force`
 */
export async function assign(
  entity: PoolName,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const ids = idsOf(body)
  const people = peopleOf(body)
  for (const userId of people) await findReceiver(userId, `${entity}:edit`, ctx)
  const pools = await memberPools(entity, ctx)
  await lockPeople(trx, caller.tenantId, people)
  const isForced = body.force === true && caller.permissions.has(poolRight(entity, 'force'))
  const turns = people.map((userId, turn) => ({
    userId,
    ids: ids.filter((_, index) => index % people.length === turn),
  }))
  const ok: string[] = []
  const failed: object[] = []
  for (const turn of turns.filter((it) => it.ids.length > 0)) {
    const full = isForced ? null : await capFault(entity, turn, pools, ctx)
    if (full !== null) {
      failed.push(...turn.ids.map((id) => ({ id, name: '', code: 422, type: 'HOLDING_CAP', message: full })))
      continue
    }
    const poolIds = pools.map((pool) => pool.id)
    const takenIds = await takeFromPool(
      entity,
      turn.ids,
      { userId: turn.userId, poolIds, kind: 'assign' },
      ctx,
    )
    const got = new Set(takenIds.map((it) => it.id))
    ok.push(...got)
    failed.push(...turn.ids.filter((id) => !got.has(id)).map(notThere))
    const { about, words } = messageSubject(entity, [...got], pooledLabel(entity, ctx))
    await announce(
      {
        event: 'record.assigned',
        to: turn.userId,
        ...about,
        params: {
          ...words,
          by: caller.name,
          names: takenIds.slice(0, 5).map((it) => it.name),
          count: got.size,
        },
      },
      ctx,
    )
  }
  const [first] = ids
  return {
    data: { ok, failed } as unknown as Json,
    detail: { toUserIds: people, ok },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

function peopleOf({ toUserIds, mode }: JsonObject): readonly string[] {
  const isList = Array.isArray(toUserIds) && toUserIds.every((it) => typeof it === 'string')
  const people = isList ? [...new Set(toUserIds as string[])] : []
  const isOne = mode === undefined || mode === null || mode === 'single'
  if ((!isOne && mode !== 'roundRobin') || people.length === 0 || people.length > (isOne ? 1 : MAX_PEOPLE))
    refuse(400, 'VALIDATION', text('pool.choose-person'), { detail: 'toUserIds, mode' })
  return people
}

async function capFault(
  entity: PoolName,
  turn: { readonly userId: string; readonly ids: readonly string[] },
  pools: readonly Pool[],
  ctx: CallContext,
): Promise<string | null> {
  try {
    await checkHoldingCap(entity, turn.userId, turn.ids.length, ctx, pools[0]?.settings)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function notThere(id: string) {
  return { id, name: '', code: 404, type: 'NOT_FOUND', message: text('call.not-found') }
}
