import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminTenant } from '../../../contract/admin.ts'
import { isOrigin, originsIn } from '../../kernel/config/origins.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { isSecondToSwitchOff, SECOND_OFF, SECOND_PERSON } from '../../kernel/pages/second-person.ts'
import { holdersOf } from '../../kernel/records/member.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { checkVersion, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

const OVER_COLLECT: readonly Json[] = ['warn', 'block', 'allow']

/** The caller's own tenant, the only one visible to them. */
export async function listTenants(_: JsonObject, ctx: CallContext) {
  return { list: [await readTenant(ctx)] }
}

export async function tenantDetail({ id }: JsonObject, ctx: CallContext) {
  refuseOther(id, ctx)
  return { record: await readTenant(ctx) }
}

/** 404 for the id of another tenant. */
function refuseOther(id: Json | undefined, { caller }: CallContext): void {
  if (typeof id === 'string' && id !== '' && id !== caller.tenantId)
    refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/**
 * Changes the tenant's name, time zone and rules; edition, number of people and expiry are set by the operator.
 *
 * @param body  `id` (its own, may be absent), `version`, `name`, `short_name`, `timezone` (IANA), `over_collect` warn/block/allow, `data_origins`, `second_publisher`: `false` while
 * it is on is a request, which takes effect when another person makes it, too
 */
export async function saveTenant(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  refuseOther(body.id, ctx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tenant/${caller.tenantId}`}, 0))`.execute(trx)
  const before = await readTenant(ctx)
  checkVersion(body.version, before.version)
  const { timezone = before.timezone, over_collect = before.over_collect } = body
  if (typeof timezone !== 'string' || !Intl.supportedValuesOf('timeZone').includes(timezone))
    refuseFaults({ timezone: text('admin.tenant.timezone') })
  if (!OVER_COLLECT.includes(over_collect)) invalid('over_collect')
  const origins = originsOf(body.data_origins ?? before.data_origins)
  const second = await secondPersonOf(body.second_publisher, before, ctx)
  const name = shortText(body.name ?? before.name, 'name', 60, 2)
  const shortName = shortText(body.short_name ?? before.short_name, 'short_name', 20)
  await sql`update tenant set name = ${name}, short_name = ${shortName}, timezone = ${timezone},
      settings = settings || ${json({ over_collect, data_origins: origins, ...second })}::jsonb, updated_at = ${now}, version = version + 1
    where id = ${caller.tenantId}`.execute(trx)
  const record = await readTenant(ctx)
  return {
    data: {
      id: record.id,
      version: record.version,
      record: record as unknown as Json,
      // The switch is still on: what it waits for.
      note: isObject(second[SECOND_OFF]) ? text('admin.tenant.off-asked') : '',
    },
    recordId: record.id,
    detail: { before: before as unknown as Json, after: record as unknown as Json, second },
    people: [caller.userId],
  }
}

/** The rule of a second person after a save, as settings. Switching it off needs one as well: whoever asks first is told to the others. */
async function secondPersonOf(
  given: Json | undefined,
  before: AdminTenant,
  ctx: CallContext,
): Promise<JsonObject> {
  const { trx, caller, now } = ctx
  const isOn = given === undefined ? before.second_publisher : given === true
  if (isOn === before.second_publisher) return { [SECOND_PERSON]: isOn }
  const { rows } = await sql<{
    settings: Json
  }>`select settings from tenant where id = ${caller.tenantId}`.execute(trx)
  const asked = { by: caller.userId, at: now.getTime() }
  if (isOn || isSecondToSwitchOff(rows[0]?.settings ?? null, asked))
    return { [SECOND_PERSON]: isOn, [SECOND_OFF]: null }
  await announce(trx, {
    event: 'tenant.second_off',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: await holdersOf('system:tenant', ctx),
    entity: 'notice',
    ids: [],
    params: { by: caller.name },
    link: { route: '/pages/admin/tenant/index', query: {} },
  })
  return { [SECOND_PERSON]: true, [SECOND_OFF]: asked }
}

async function readTenant({ trx, caller, zone }: CallContext): Promise<AdminTenant> {
  const { rows } = await sql<
    Omit<AdminTenant, 'expire_at' | 'data_origins'> & { expire_at: Date | null; data_origins: Json }
  >`select t.id, t.code, t.name, t.short_name, t.edition, t.max_users, t.timezone, t.expire_at, t.version,
      coalesce(t.settings ->> 'over_collect', 'warn') as over_collect,
      t.settings -> 'data_origins' as data_origins,
      coalesce((t.settings ->> 'second_publisher')::boolean, false) as second_publisher,
      (select count(*) from membership m where m.tenant_id = t.id and m.status <> 'left' and m.deleted_at is null) as members
    from tenant t where t.id = ${caller.tenantId}`.execute(trx)
  const [row] = rows
  return row === undefined
    ? refuse(404, 'NOT_FOUND', text('call.not-found'))
    : ({ ...wireRow(row, zone), data_origins: originsText(row.data_origins) } as unknown as AdminTenant)
}

/** The value for "no origin at all"; an empty text means that the tenant excludes none. */
const NONE = 'none'
const MAX_ORIGINS = 50

/** The operator's origins that the tenant's pages may use; null for all. An origin that the operator does not allow stays refused. */
function originsOf(given: Json): readonly string[] | null {
  const origins = originsIn(typeof given === 'string' ? given : invalid('data_origins'))
  if (origins.length === 1 && origins[0] === NONE) return []
  if (origins.length > MAX_ORIGINS || !origins.every(isOrigin))
    refuseFaults({ data_origins: text('admin.tenant.origins') })
  return origins.length === 0 ? null : origins
}

function originsText(origins: Json): string {
  if (!Array.isArray(origins)) return ''
  return origins.length === 0 ? NONE : origins.join('\n')
}
