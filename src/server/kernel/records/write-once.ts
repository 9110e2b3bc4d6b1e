import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import { type Caller, callerOf } from '../auth/caller.ts'
import type { Database, Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'
import { withLastStatements } from '../db/transaction.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { refuseUnusableFiles } from './named-files.ts'

/** The action for the audit row: `action` like `customer:edit`, `entity` the table. */
export interface WriteKind {
  readonly action: string
  readonly entity: string
}

/** The result of a write. `recordId` and `detail` go to the audit row, `data` to the caller. */
export interface WriteResult<T extends Json> {
  readonly data: T
  readonly recordId?: string
  /** Field differences or the like; never secrets. */
  readonly detail?: Json
}

/** How long answers are stored (DOMAIN 0.7). */
export const RETENTION_HOURS = 72

/**
 * Runs a write once per `clientToken` of the body (8–64 characters, required), in one tenant transaction with its audit row.
 * A repeated token gets the first result, even if both arrive at once: the second waits for the first to commit.
 * A refusal leaves nothing behind, so the same token may be tried again.
 *
 * @param concurrent  queries for `work` sent together with the token: they cost no extra round trip
 * @throws Refusal 400 if the token is missing, 409 STATE_CONFLICT if it was used for another write
 */
export async function writeOnce<T extends Json>(
  database: Database,
  request: FastifyRequest,
  kind: WriteKind,
  work: (trx: Trx, caller: Caller, along: boolean) => Promise<WriteResult<T>>,
  concurrent: ConcurrentQueries = {},
): Promise<T> {
  const write = writing(request, kind, work, concurrent)
  const { tenantId, userId } = callerOf(request)
  const attempt = (isAtOnce: boolean) =>
    database.tenant({ tenantId, userId, isLate: true }, (trx) => write(trx, isAtOnce))
  if (concurrent.isAtOnce !== true) return attempt(false)
  try {
    return await attempt(true)
  } catch (error) {
    // Nothing of it is left.
    if (error instanceof NothingClaimed) return attempt(false)
    throw error
  }
}

/** Work was started together with its token, but the token was stored before, or the assumption behind the combined queries was wrong. */
class NothingClaimed extends Error {}

function writing<T extends Json>(
  request: FastifyRequest,
  kind: WriteKind,
  work: (trx: Trx, caller: Caller, along: boolean) => Promise<WriteResult<T>>,
  { along = () => sql<boolean>`false`, ahead }: ConcurrentQueries,
) {
  const caller = callerOf(request)
  const key = {
    tenant_id: caller.tenantId,
    user_id: caller.userId,
    client_token: clientTokenOf(request.body),
  }
  const write = { path: request.routeOptions.url ?? request.url, body_hash: hashOf(request.body) }
  return async (trx: Trx, isAtOnce: boolean): Promise<T> => {
    const noting = noteToken(trx, key, write, along(caller))
    ahead?.(trx, caller)
    const begun = isAtOnce ? work(trx, caller, true) : undefined
    // Whether it is valid is known together with the token.
    begun?.catch(() => undefined)
    const first = await noting
    if (begun !== undefined && first?.along !== true) throw new NothingClaimed('the work is done again')
    if (first === undefined) return earlierAnswer<T>(trx, key, write)
    await refuseUnusableFiles(trx, {
      tenantId: caller.tenantId,
      userId: caller.userId,
      entity: kind.entity,
      body: request.body,
      signedIn: request.server.signedFilesIn,
    })
    const written = await (begun ?? work(trx, caller, first.along))
    const noted =
      isSame(request.body, written.data) || isRefused(written.data)
        ? answering(key, written.data)
        : sql`with answered as (${answering(key, written.data)}) ${auditInsert(auditRow(caller, request, kind, written))}`
    await withLastStatements<unknown>(trx, () => noted.execute(trx))
    return written.data
  }
}

const answering = ({ tenant_id, user_id, client_token }: Key, data: Json) =>
  sql`update idempotency set answer = ${json({ data })}
    where tenant_id = ${tenant_id} and user_id = ${user_id} and client_token = ${client_token}`

/** A record with the version that the caller had read was not changed: there is no history to report. */
function isSame(body: unknown, data: Json): boolean {
  const read = isObject(body as Json) ? ownValue(body as Json, 'version') : undefined
  return read !== undefined && read === ownValue(data, 'version')
}

/** No record of a batch was changed. It may have named records that the caller cannot see: their history says only what happened. */
const isRefused = (data: Json): boolean => {
  const ok = ownValue(data, 'ok')
  return Array.isArray(ok) && ok.length === 0
}

/** The queries of a write before it begins. */
interface ConcurrentQueries {
  /** In the statement that stores the token. */
  readonly along?: (caller: Caller) => RawBuilder<boolean>
  /** In statements that are sent with it and not awaited here. */
  readonly ahead?: ((trx: Trx, caller: Caller) => void) | undefined
  /**
   * The work starts together with the token, and its first queries are sent along. `along` is assumed to be true; if it is not, or the token was
   * stored before, everything is rolled back.
   */
  readonly isAtOnce?: boolean | undefined
}

/** Stores the token, in the started transaction of its tenant; undefined if it was stored before. */
async function noteToken(
  trx: Trx,
  { tenant_id, user_id, client_token }: Key,
  { path, body_hash }: { readonly path: string; readonly body_hash: string },
  along: RawBuilder<boolean>,
): Promise<{ readonly along: boolean } | undefined> {
  const { rows } = await sql<{
    along: boolean
  }>`insert into idempotency (tenant_id, user_id, client_token, path, body_hash)
    select ${tenant_id}, ${user_id}, ${client_token}, ${path}, ${body_hash}
      where current_setting('app.tenant', true) = ${tenant_id}
    on conflict do nothing returning ${along} as along`.execute(trx)
  return rows[0]
}

/** Writes an audit row for a write that is not idempotent by token (login, logout, password, jobs). */
export async function audit(
  trx: Trx,
  request: FastifyRequest,
  kind: WriteKind,
  written: Omit<WriteResult<Json>, 'data'>,
): Promise<void> {
  await auditOf(trx, callerOf(request), request, kind, written)
}

/** The same for a call without a session, by a person who tried to sign in or somebody unknown; and for events without a call. */
export async function auditOf(
  trx: Trx,
  user: { readonly tenantId: string; readonly userId: string | null },
  request: FastifyRequest | null,
  kind: WriteKind,
  written: Omit<WriteResult<Json>, 'data'>,
): Promise<void> {
  await auditInsert(auditRow(user, request, kind, written)).execute(trx)
}

const auditInsert = (row: ReturnType<typeof auditRow>): RawBuilder<unknown> =>
  sql`insert into audit_log (tenant_id, id, user_id, action, entity, record_id, detail, request_id, address)
    values (${row.tenant_id}, ${row.id}, ${row.user_id}, ${row.action}, ${row.entity}, ${row.record_id},
      ${row.detail}, ${row.request_id}, ${row.address})`

function auditRow(
  user: { readonly tenantId: string; readonly userId: string | null },
  request: FastifyRequest | null,
  { action, entity }: WriteKind,
  { recordId, detail }: Omit<WriteResult<Json>, 'data'>,
) {
  return {
    tenant_id: user.tenantId,
    id: newId(),
    user_id: user.userId,
    action,
    entity,
    record_id: recordId ?? null,
    detail: json(detail ?? {}),
    request_id: request?.id ?? '',
    address: request?.ip ?? '',
  }
}

interface Key {
  readonly tenant_id: string
  readonly user_id: string
  readonly client_token: string
}

async function earlierAnswer<T extends Json>(
  trx: Trx,
  key: Key,
  now: { path: string; body_hash: string },
): Promise<T> {
  const row = await trx
    .selectFrom('idempotency')
    .select(['path', 'body_hash', 'answer'])
    .where('tenant_id', '=', key.tenant_id)
    .where('user_id', '=', key.user_id)
    .where('client_token', '=', key.client_token)
    .executeTakeFirstOrThrow()
  if (row.path !== now.path || row.body_hash !== now.body_hash) {
    refuse(409, 'STATE_CONFLICT', text('call.token-reused'))
  }
  return (isObject(row.answer) ? row.answer.data : null) as T
}

function clientTokenOf(body: unknown): string {
  const token = ownValue(body, 'clientToken')
  if (typeof token !== 'string' || !/^[\w.:-]{8,64}$/.test(token)) {
    refuse(400, 'VALIDATION', text('call.invalid'), {
      detail: 'clientToken: 8 to 64 of letters, digits, . : _ -',
    })
  }
  return token
}

function hashOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url')
}
