import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminConnection } from '../../../contract/admin.ts'
import { connectionsIn } from '../../../contract/connection.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { checkVersion, givenId } from '../admin/input.ts'
import type { AdminResource, AdminResult } from '../admin/kind.ts'
import { findConnection, type StoredConnection, secretContext } from './find-connection.ts'
import { type ConnectionForm, fault, partKey, readConnection } from './setting.ts'

/** External systems as administrators manage them; secrets can be set but are never shown. */
export function connectionKind({ sealer, pages }: Pick<Services, 'sealer' | 'pages'>): AdminResource {
  return {
    name: 'connection',
    permission: 'system:form',
    list: listConnections,
    detail: async (body, ctx) => ({ record: drawn(await readStored(givenId(body), ctx)) }),
    save: (body, ctx) => saveConnection(body, ctx, sealer),
    remove: (body, ctx) => removeConnection(body, ctx, pages),
  }
}

async function listConnections(_: JsonObject, { trx, caller }: CallContext) {
  const rows = await trx
    .selectFrom('connection')
    .select(['id', 'name', 'label', 'setting', 'secrets', 'version'])
    .where('tenant_id', '=', caller.tenantId)
    .orderBy('label')
    .orderBy('id')
    .execute()
  return {
    list: rows.map((row) => drawn(row as unknown as StoredConnection)),
    hasMore: false,
    nextCursor: null,
  }
}

/** Maximum per tenant. */
const MAX_CONNECTIONS = 100

/**
 * Creates or changes a connection.
 *
 * @param body  as in {@link readConnection}; change: `id`, `version`. An empty secret keeps its value, unless the origin changes
 */
async function saveConnection(
  body: JsonObject,
  ctx: CallContext,
  sealer: Services['sealer'],
): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const given = givenId(body)
  const before = given === '' ? null : await readStored(given, ctx)
  if (before !== null) checkVersion(body.version, before.version)
  const form = readConnection(body)
  await refuseTaken(form, before, ctx)
  const id = before?.id ?? newId(now.getTime())
  const secrets = sealedSecrets(form, before, (value) =>
    sealer.seal(value, secretContext(caller.tenantId, id)),
  )
  const { name, label, setting } = form
  const stored = { name, label, setting: json(setting as unknown as Json), secrets: json(secrets) }
  const by = { updated_by: caller.userId, updated_at: now }
  if (before === null)
    await trx
      .insertInto('connection')
      .values({
        tenant_id: caller.tenantId,
        id,
        ...stored,
        ...by,
        created_by: caller.userId,
        created_at: now,
      })
      .execute()
  else
    await trx
      .updateTable('connection')
      .set({ ...stored, ...by, version: before.version + 1 })
      .where('tenant_id', '=', caller.tenantId)
      .where('id', '=', id)
      .execute()
  const record = drawn(await readStored(id, ctx))
  return {
    data: { id, version: record.version, record: record as unknown as Json },
    recordId: id,
    detail: {
      before: before === null ? null : (drawn(before) as unknown as Json),
      after: record as unknown as Json,
      secrets: [...form.secrets.keys()],
    },
  }
}

/** A name belongs to one connection and cannot be changed, because pages refer to it. */
async function refuseTaken(
  { name }: ConnectionForm,
  before: StoredConnection | null,
  ctx: CallContext,
): Promise<void> {
  if (before !== null) {
    if (before.name !== name) fault('name', text('conn.form.renamed'))
    return
  }
  const { trx, caller } = ctx
  if ((await findConnection(trx, caller.tenantId, { name })) !== null) fault('name', text('conn.form.taken'))
  const { n } = await trx
    .selectFrom('connection')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('tenant_id', '=', caller.tenantId)
    .executeTakeFirstOrThrow()
  if (n >= MAX_CONNECTIONS) refuse(422, 'HOLDING_CAP', text('conn.form.many', { most: MAX_CONNECTIONS }))
}

/**
 * New secrets encrypted, others as stored. A secret is sent only to the origin it was entered for: changing the origin requires entering all of them
 * again, so that somebody who may change an address cannot obtain secrets they may not read.
 */
function sealedSecrets(
  { setting, secrets }: ConnectionForm,
  before: StoredConnection | null,
  seal: (value: string) => string,
): Record<string, string> {
  const isElsewhere = before !== null && new URL(before.setting.base).origin !== new URL(setting.base).origin
  const wanted = setting.parts.filter(({ secret }) => secret)
  return Object.fromEntries(
    wanted.map((part): [string, string] => {
      const key = partKey(part)
      const fresh = secrets.get(key)
      if (fresh !== undefined) return [key, seal(fresh)]
      const secret = before?.secrets[key]
      if (secret === undefined || isElsewhere)
        return fault(
          'parts',
          text(isElsewhere ? 'conn.form.elsewhere' : 'conn.form.missing', { name: part.name }),
        )
      return [key, secret]
    }),
  )
}

/** Deletes a connection that no page of the tenant uses. @param body `id` */
async function removeConnection(
  body: JsonObject,
  ctx: CallContext,
  pages: Services['pages'],
): Promise<AdminResult> {
  const { trx, caller } = ctx
  const { id, name, label } = await readStored(givenId(body), ctx)
  const users = (await pages.all(trx, caller.tenantId))
    .filter(({ document }) => connectionsIn(document).some((connection) => connection.name === name))
    .map(({ path }) => path)
  if (users.length > 0)
    refuse(422, 'REFERENCED', text('conn.form.used', { label, pages: users.slice(0, 3).join('、') }), {
      data: { pages: users },
    })
  await trx.deleteFrom('connection').where('tenant_id', '=', caller.tenantId).where('id', '=', id).execute()
  return { data: { id }, recordId: id, detail: { name, label } }
}

async function readStored(id: string, { trx, caller }: CallContext): Promise<StoredConnection> {
  return (
    (await findConnection(trx, caller.tenantId, { id })) ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  )
}

/** A connection as shown on screens: for a secret, only whether it is set. */
function drawn({ id, name, label, setting, version }: StoredConnection): AdminConnection {
  const { parts, paths, ...rest } = setting
  return {
    id,
    name,
    label,
    ...rest,
    paths: paths.join('\n'),
    parts: parts.map((part) => ({
      ...part,
      value: part.secret ? '' : part.value,
      state: part.secret ? text('conn.set') : '',
    })),
    version,
  }
}
