import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { OwnRights, Permission } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { writeContext } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { DatabaseUnavailable } from '../../kernel/db/unavailable.ts'
import { Refusal } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { inputWithRights } from './made-with.ts'
import type { WorkKind } from './tables.ts'
import type { Work } from './work.ts'

/** Progress of running work; absent values stay unchanged. */
interface Progress {
  readonly total?: number
  readonly done?: number
  readonly ok?: number
  readonly failed?: number
  /** Added to the failures so far. */
  readonly failures?: readonly Json[]
}

/** A running piece of work, with the current rights of its person. */
export interface WorkJob {
  readonly services: Services
  readonly work: Work
  readonly caller: Caller
  /** A transaction of the person's tenant that writes records; for reads use `runRead`. */
  readonly inTrx: <T>(task: (ctx: CallContext) => Promise<T>) => Promise<T>
  /** Stores progress, in the given transaction or a separate one. @throws Stopped if it no longer belongs to this server: cancelled, or taken over */
  readonly progress: (progress: Progress, trx?: Trx) => Promise<void>
}

/** How one kind of work is done. After a crash it is called again and continues from `work.done`. */
export interface WorkHandler {
  readonly permission: (work: Work) => Permission | `${OwnRights}:${string}`
  /** @returns the message for the person, and the generated file */
  readonly run: (
    job: WorkJob,
  ) => Promise<{ readonly message: string; readonly fileId?: string; readonly fileName?: string }>
}

/** The person has cancelled it, or another server has taken it over, assuming that this one is dead. */
class Stopped extends Error {}
/** This server is stopping; another continues the work. */
class HandedOver extends Error {}

/** Silence after which a server is assumed to be dead and its work is taken over. */
const SILENT_MS = 120_000
const POLL_INTERVAL_MS = 15_000
/** Work during which two servers or the database died, or one twice, without progress is not started again. */
const MAX_ATTEMPTS = 2
/** Pause between two attempts to requeue work while the database is away. */
const PUT_BACK_MS = 1_000

export interface WorkRunner {
  /** From now on also checks periodically. */
  start(): void
  /** Something was queued. */
  wake(): void
  /** Requeues the work in progress, which continues where it stopped. */
  stop(): Promise<void>
}

/** Processes queued work, one piece at a time on this server; several servers share the queue. */
export function createWorkRunner(
  services: Services,
  handlers: Readonly<Record<WorkKind, WorkHandler>>,
): WorkRunner {
  const { database } = services
  let running: Promise<void> | null = null
  /** Something was queued while it was running: perhaps after its last look at the queue. */
  let isWoken = false
  let isStopped = false

  async function doOne(work: Work): Promise<void> {
    const scope = { tenantId: work.tenant_id, userId: work.user_id }
    const inTenant = <T>(task: (trx: Trx) => Promise<T>) => database.tenant(scope, task)
    const end = (part: Parameters<typeof endWork>[2]) =>
      inTenant((trx) => endWork(trx, work, part, services.now()))
    try {
      if (work.attempts > MAX_ATTEMPTS) return await end({ status: 'failed', message: text('work.given-up') })
      const handler = handlers[work.kind]
      const caller = await callerOfWork(services, work)
      if (caller === null || !caller.permissions.has(handler.permission(work)))
        return await end({ status: 'failed', message: text('work.no-right') })
      const job: WorkJob = {
        services,
        work,
        caller,
        inTrx: (task) =>
          database.tenant(caller, async (trx) => task(await writeContext(services, caller, trx))),
        async progress(progress, trx) {
          if (isStopped) throw new HandedOver()
          if (trx) await beat(trx, work, progress, services.now())
          else await inTenant((ownTrx) => beat(ownTrx, work, progress, services.now()))
        },
      }
      const input = inputWithRights(work, caller)
      await end({ status: 'done', input, ...(await handler.run(job)) })
    } catch (error) {
      if (error instanceof Stopped) return
      if (error instanceof HandedOver) return await inTenant((trx) => requeue(trx, work, 1))
      if (error instanceof DatabaseUnavailable)
        return await untilThere(() => inTenant((trx) => requeue(trx, work, 0)))
      const isRefusal = error instanceof Refusal
      if (!isRefusal) services.log.error({ err: error, work: work.id }, 'work failed')
      await end({ status: 'failed', message: isRefusal ? error.message : text('work.failed') })
    }
  }

  /** Retries while the database is away, at most until any server may take the work over anyway. */
  async function untilThere(task: () => Promise<void>): Promise<void> {
    for (const until = performance.now() + SILENT_MS; ; await pause(PUT_BACK_MS)) {
      try {
        return await task()
      } catch (error) {
        if (isStopped || performance.now() > until || !(error instanceof DatabaseUnavailable)) throw error
      }
    }
  }

  async function doAll(): Promise<void> {
    while (!isStopped) {
      const work = await takeWork(services)
      if (work === null) return
      await database.patiently(() => doOne(work))
    }
  }
  const wake = (): void => {
    isWoken = running !== null
    if (isWoken || isStopped) return
    running = doAll()
      .catch((error: unknown) => services.log.error({ err: error }, 'the line of work stands still'))
      .finally(() => {
        running = null
        if (isWoken) wake()
      })
  }
  let timer: NodeJS.Timeout | undefined
  return {
    wake,
    start() {
      timer = setInterval(wake, POLL_INTERVAL_MS)
      timer.unref()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

/**
 * The next piece in the queue, or one whose server has died; nobody else gets it. If that server had only paused, its results no longer count,
 * because each start has a new mark: so no row is created twice.
 */
async function takeWork({ database, now }: Services): Promise<Work | null> {
  const at = new Date(now())
  const silent = new Date(now() - SILENT_MS)
  // Its clock was ahead, or has been set back since: it is assumed to be dead as well; if it is alive, it only loses this piece of work.
  const ahead = new Date(now() + SILENT_MS)
  return database.system(async (trx) => {
    const { rows } =
      await sql<Work>`update work set status = 'running', beat_at = ${at}, taken_by = ${newId()}, attempts = attempts + 1
      where (tenant_id, id) = (select tenant_id, id from work
        where status = 'waiting' or (status = 'running' and (beat_at < ${silent} or beat_at > ${ahead}))
        order by created_at limit 1 for update skip locked) returning *`.execute(trx)
    return rows[0] ?? null
  })
}

/** The person with their current rights; null if they may no longer work here. Signing out does not stop their work. */
async function callerOfWork({ sessions }: Services, work: Work): Promise<Caller | null> {
  const state = await sessions.find(work.session_id, work.tenant_id)
  if (state === null || state.tenantStatus !== 'normal' || state.membershipStatus !== 'enabled') return null
  return state.caller
}

async function beat(trx: Trx, work: Work, progress: Progress, now: number): Promise<void> {
  const { total, done, ok, failed, failures = [] } = progress
  const { rows } =
    await sql`update work set beat_at = ${new Date(now)}, total = coalesce(${total ?? null}::int, total),
      done = coalesce(${done ?? null}::int, done), ok = coalesce(${ok ?? null}::int, ok),
      attempts = case when ${done ?? 0}::int > done then 1 else attempts end,
      failed = coalesce(${failed ?? null}::int, failed),
      failures = failures || ${json([...failures])}::jsonb
    where tenant_id = ${work.tenant_id} and id = ${work.id} and status = 'running' and taken_by = ${work.taken_by} returning 1`.execute(
      trx,
    )
  if (rows.length === 0) throw new Stopped()
}

/** Requeues work that is still ours. @param uncounted  attempts that are not counted */
async function requeue(trx: Trx, work: Work, uncounted: 0 | 1): Promise<void> {
  await sql`update work set status = 'waiting', attempts = attempts - ${uncounted}::int
    where tenant_id = ${work.tenant_id} and id = ${work.id} and status = 'running' and taken_by = ${work.taken_by}`.execute(
    trx,
  )
}

interface End {
  readonly status: 'done' | 'failed'
  readonly message: string
  readonly input?: JsonObject
  readonly fileId?: string
  readonly fileName?: string
}

async function endWork(trx: Trx, work: Work, end: End, now: number): Promise<void> {
  await trx
    .updateTable('work')
    .set({
      status: end.status,
      message: end.message,
      ...(end.input === undefined ? {} : { input: json(end.input) }),
      file_id: end.fileId ?? null,
      file_name: end.fileName ?? '',
      finished_at: new Date(now),
    })
    .where('tenant_id', '=', work.tenant_id)
    .where('id', '=', work.id)
    .where('status', '=', 'running')
    .where('taken_by', '=', work.taken_by)
    .execute()
}
