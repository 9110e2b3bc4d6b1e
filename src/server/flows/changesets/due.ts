import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { announce } from '../../kernel/notices/announce.ts'
import type { MessageEvent } from '../../kernel/notices/events.ts'
import { checkingBetween } from '../../kernel/pages/check-apart.ts'
import { auditOf } from '../../kernel/records/write-once.ts'
import { Refusal } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { plannedOf, startTrial } from './plan.ts'
import { publishSet } from './publish-set.ts'
import { type ChangeSet, changeSet, lockChangeSet } from './store.ts'

const POLL_INTERVAL_MS = 15_000

/** Publishes scheduled sets once their time has come. */
export interface DueRunner {
  start(): void
  /** Checks immediately. */
  wake(): void
  stop(): Promise<void>
}

/** Checks periodically, on every server; each set is published by one of them. */
export function createDueRunner(services: Services): DueRunner {
  let underWay: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    underWay = underWay
      .then(() => publishDue(services))
      .catch((error: unknown) => services.log.error({ err: error }, 'scheduled change sets stand still'))
  }
  return {
    wake: look,
    start() {
      timer = setInterval(look, POLL_INTERVAL_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

type Due = Pick<ChangeSet, 'tenant_id' | 'id' | 'planned_by' | 'created_by'>

/** Publishes every set whose time has come; if one cannot be published it is reopened and its author is told why. */
async function publishDue(services: Services): Promise<number> {
  const { database, now } = services
  const due = await database.system((trx) =>
    trx
      .selectFrom('change_set')
      .select(['tenant_id', 'id', 'planned_by', 'created_by'])
      .where('status', '=', 'scheduled')
      .where('publish_at', '<=', new Date(now()))
      .orderBy('publish_at')
      .execute(),
  )
  for (const dueSet of due) await publishOne(dueSet, services)
  return due.length
}

async function publishOne(due: Due, services: Services): Promise<void> {
  const { database, sessions, log } = services
  const userId = due.planned_by ?? due.created_by
  const caller = await sessions.person(userId, due.tenant_id)
  try {
    if (caller === null || !caller.permissions.has('system:form'))
      return await fail(due, text('changeset.no-right'), services)
    const publish = async (trx: Trx): Promise<readonly string[]> => {
      const set = await stillDue(due, trx, services)
      if (set === null) return []
      const audience = plannedOf(set)
      const hand = { trx, caller, services }
      const written = await (audience === null ? publishSet(set, hand) : startTrial(set, audience, hand))
      await auditOf(trx, caller, null, { action: 'changeset:publish', entity: 'change_set' }, written)
      await notifyAuthors('changeset.published', set, '', trx, services)
      return written.people ?? []
    }
    const people = await checkingBetween(due.tenant_id, () => database.tenant(caller, publish))
    for (const id of new Set([userId, ...people])) await sessions.changed(id)
  } catch (error) {
    const isRefusal = error instanceof Refusal
    if (!isRefusal) log.error({ err: error, set: due.id }, 'a change set could not be published')
    await fail(due, isRefusal ? error.message : text('changeset.broke'), services)
  }
}

/** Another server may have published it, or its author have changed their mind. */
async function stillDue({ id, tenant_id }: Due, trx: Trx, { now }: Services): Promise<ChangeSet | null> {
  const set = await lockChangeSet(id, { trx, caller: { tenantId: tenant_id } })
  const isDue = set.status === 'scheduled' && set.publish_at !== null && set.publish_at.getTime() <= now()
  return isDue ? set : null
}

async function fail(due: Due, reason: string, services: Services): Promise<void> {
  const { tenant_id: tenantId, created_by } = due
  await services.database.tenant({ tenantId, userId: due.planned_by ?? created_by }, async (trx) => {
    const set = await stillDue(due, trx, services)
    if (set === null) return
    const now = new Date(services.now())
    await changeSet(
      set,
      { status: 'open', publish_at: null, failure: reason },
      { trx, caller: { tenantId }, now },
    )
    await notifyAuthors('changeset.failed', set, reason, trx, services)
  })
}

/** Notifies the author of a set, and the person who scheduled it. */
async function notifyAuthors(
  event: MessageEvent,
  set: ChangeSet,
  reason: string,
  trx: Trx,
  { now }: Services,
): Promise<void> {
  await announce(trx, {
    event,
    tenantId: set.tenant_id,
    actorId: null,
    now: new Date(now()),
    receivers: [set.created_by, set.planned_by ?? ''],
    entity: 'notice',
    ids: [],
    params: { title: set.title, why: reason },
    link: { route: '/pages/admin/page/set', query: { id: set.id } },
  })
}
