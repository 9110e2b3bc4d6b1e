import type { FastifyInstance } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { pooledLabel } from '../../kernel/pools/pooled.ts'
import { ownerRecords } from '../../kernel/records/history.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { nameFailedOwn } from '../../modules/own-records/batch.ts'
import { type OfModule, ownCalls, PARAMS } from '../../modules/own-records/own-calls.ts'
import { findOwnRecord } from '../../modules/own-records/record.ts'
import { assign } from './assign.ts'
import { claim } from './claim.ts'
import { moveBetweenPools } from './move.ts'
import { ownPool } from './own-pool.ts'
import { poolCounts, poolPage, removeFrom } from './pool-calls.ts'
import type { PoolKind } from './pool-kind.ts'
import { release } from './release.ts'
import { unclaim } from './unclaim.ts'

const BY_ID = {
  params: PARAMS,
  querystring: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', minLength: 1, maxLength: 64 } },
  },
} as const

/** /mini/m/<module>/pool/…, release and the history of owners: of own modules that say `pool`. */
export function ownPoolRoutes(app: FastifyInstance, services: Services): void {
  const { answer, write } = ownCalls(app, services)
  app.post<OfModule>('/mini/m/:module/pool/list', { schema: { params: PARAMS } }, (request) =>
    answer(request, (module, ctx) => poolPage(ownPool(module), request.body, ctx), 'pool'),
  )
  app.post<OfModule>('/mini/m/:module/pool/count', { schema: { params: PARAMS } }, (request) =>
    answer(request, (module, ctx) => poolCounts(ownPool(module), request.body, ctx), 'pool'),
  )
  app.get<OfModule & { Querystring: { id: string } }>(
    '/mini/m/:module/owner-record',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, ctx) => {
        const { entity } = ownPool(module)
        const { id } = await findOwnRecord(module, request.query.id, ctx)
        return ownerRecords(entity, pooledLabel(entity, ctx), id, ctx)
      }),
  )
  const calls = {
    'pool/claim': ['claim', (kind, ...given) => claim(kind.entity, ...given)],
    'pool/unclaim': ['claim', (kind, ...given) => unclaim(kind.entity, ...given)],
    'pool/assign': ['assign', (kind, ...given) => assign(kind.entity, ...given)],
    'pool/move': ['assign', moveBetweenPools],
    'pool/delete': ['del', removeFrom],
    release: ['release', release],
  } as const satisfies Readonly<Record<string, readonly [string, Call]>>
  for (const [name, [action, work]] of Object.entries(calls))
    write(name, action, async (module, body, ctx) => {
      const written = await (work as Call)(ownPool(module), body, ctx)
      const answered = written.data as Parameters<typeof nameFailedOwn>[1]
      return { ...written, data: await nameFailedOwn(module, answered, ctx) }
    })
}

type Call = (
  kind: PoolKind,
  body: Parameters<typeof release>[1],
  ctx: Parameters<typeof release>[2],
) => Promise<WriteResult<Json>>
