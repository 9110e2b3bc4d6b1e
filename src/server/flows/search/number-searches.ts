import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { ownValue } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { isReadOnly } from '../../kernel/auth/inner-reads.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { fingerprint } from '../../kernel/lists/cursor.ts'
import { completeNumberIn } from '../../kernel/lists/keyword-condition.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskPhone } from '../../kernel/words/mask.ts'

/** Distinct numbers that a person may search per day: more than anybody calls, and far fewer than all endings of a masked one. */
const MAX_NUMBERS = 200
const DAY_MS = 86_400_000
/** Parameters of a call that may contain a searched number. */
const WORDS = ['keyword', 'mobile', 'telephone'] as const

/**
 * A complete phone number finds its record even if it is masked, so trying one number after the other would reveal masked ones:
 * every searched number is recorded, once a day, and their count is limited.
 *
 * @throws Refusal 429 beyond the daily limit
 */
export function addNumberSearches(app: FastifyInstance, services: Services): void {
  app.addHook('preHandler', async (request) => {
    const { caller } = request
    if (caller === null || !isReadOnly(request.method, request.routeOptions.url ?? '')) return
    const numbers = WORDS.flatMap((word) => {
      const given = ownValue(request.method === 'GET' ? request.query : request.body, word)
      return typeof given === 'string' ? (completeNumberIn(given) ?? []) : []
    })
    if (numbers.length === 0) return
    await services.database.tenant({ ...caller, isReading: true }, async (trx) => {
      for (const number of new Set(numbers)) await noteNumber(trx, request, { caller, number, services })
    })
  })
}

interface NumberSearch {
  readonly caller: Caller
  readonly number: string
  readonly services: Services
}

async function noteNumber(trx: Trx, request: FastifyRequest, { caller, number, services }: NumberSearch) {
  const now = new Date(services.now())
  const zone = caller.tenant.timezone
  const dayStart = instantOf(startOfDay(wallTimeOf(now, zone)), zone)
  const day = dayStart.toISOString()
  // The log contains the records it may belong to, but not the number in plain text.
  const key = fingerprint([services.secret, number])
  await sql`select pg_advisory_xact_lock(hashtextextended(${`number/${caller.tenantId}/${caller.userId}`}, 0))`.execute(
    trx,
  )
  const { rows } = await sql<{ key: string }>`select detail ->> 'key' as key from audit_log
    where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and action = 'search:number'
      and entity = 'search' and record_id = ${caller.userId} and at >= ${new Date(dayStart.getTime() - DAY_MS)}
      and detail ->> 'day' = ${day}`.execute(trx)
  if (rows.some((row) => row.key === key)) return
  if (rows.length >= MAX_NUMBERS) {
    const retryAfter = Math.ceil((dayStart.getTime() + DAY_MS - now.getTime()) / 1000)
    refuse(429, 'RATE_LIMIT', text('search.numbers', { most: MAX_NUMBERS }), { data: { retryAfter } })
  }
  const detail = { number: maskPhone(number), key, day }
  await audit(
    trx,
    request,
    { action: 'search:number', entity: 'search' },
    { recordId: caller.userId, detail },
  )
}
