import type { FastifyInstance } from 'fastify'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { TenantModel } from '../../kernel/model/library.ts'
import { PAGE_CHANNEL } from '../../kernel/pages/library.ts'
import { requireSecondPerson } from '../../kernel/pages/second-person.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { changedPages } from './changed-pages.ts'
import type { Saving } from './save-module.ts'

/** The result of a change of modules: the module, its version, and further data for the screen. */
interface ModelWritten {
  readonly name: string
  readonly version: number
  readonly data?: JsonObject
  /** People whose rights have changed. */
  readonly people?: readonly string[]
}

/**
 * Registers a call that changes a tenant's modules: executed once, recorded, and announced to open clients; refused if the tenant requires a second
 * person to review.
 */
export type ModelWriter = <Body extends object, Ready = undefined>(
  path: string,
  schema: object,
  work: (given: Body, saving: Saving, ctx: CallContext, ready: Ready) => Promise<ModelWritten>,
  options?: {
    /** Data that must be read before the transaction begins, such as files. */
    readonly prepare?: (given: Body, caller: Caller) => Promise<Ready>
    /** The message if a second person is required and the call cannot be added to a change set. */
    readonly alone?: string
  },
) => void

export function modelWriter(app: FastifyInstance, services: Services): ModelWriter {
  const { database, modules: library, pages, sessions } = services
  return (path, schema, work, options = {}) => {
    const config = { permission: 'system:form' } as const
    app.post(path, { config, schema }, async (request) => {
      let people: readonly string[] = []
      const given = request.body as Parameters<typeof work>[0]
      const ready = (await options.prepare?.(given, callerOf(request))) as Parameters<typeof work>[3]
      const answer = await writeOnce(
        database,
        request,
        { action: path.replace('/engine/web/', '').replace('/', ':'), entity: 'module_override' },
        async (trx, caller) => {
          await requireSecondPerson(trx, caller, options.alone)
          const ctx = await callContextOf(services, caller, trx)
          const written = await work(given, { trx, caller, library, pages }, ctx, ready)
          const { name, version, data = {} } = written
          people = written.people ?? []
          await notifyClients(services, ctx.model, trx, caller.tenantId)
          return {
            recordId: name,
            detail: { version, ...changeOf(request.body) },
            data: { version, ...data },
          }
        },
      )
      // Permissions were added with the module: they apply from the author's next call.
      for (const person of new Set([callerOf(request).userId, ...people])) await sessions.changed(person)
      return answer
    })
  }
}

/** Tells open clients which pages have changed: those of the module, and others affected by it. */
export async function notifyClients(
  services: Services,
  before: TenantModel,
  trx: Trx,
  tenantId: string,
): Promise<void> {
  const { database, modules, pages } = services
  const published = [...(await pages.published(trx, tenantId)).values()]
  const files = pages.paths().flatMap((path) => pages.fromFile(path) ?? [])
  const changed = changedPages([...files, ...published], before, await modules.within(trx, tenantId))
  for (const { path, etag } of changed) {
    const event = { path, etag: etag ?? GONE }
    await database.notify(trx, PAGE_CHANNEL, JSON.stringify({ event, tenantId }))
  }
}

/** The version of a page that no longer exists. */
const GONE = '"gone"'

/** What the audit row contains of a change: the names, not the whole description. */
function changeOf(given: unknown): { readonly [key: string]: Json } {
  const { field, name } = isObject(given) ? given : {}
  return {
    ...(isObject(field) ? { field: field.name ?? null } : {}),
    ...(name === undefined ? {} : { name }),
  }
}
