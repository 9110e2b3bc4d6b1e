import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { labelText } from '../../model/labels.ts'
import type { MergedField, MergedModule } from '../../model/merge-module.ts'
import { callerOf } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import { refuse } from '../envelope.ts'
import { PAGE_CHANNEL } from '../pages/library.ts'
import { findAllPublished } from '../pages/overrides.ts'
import { ask } from '../records/ask.ts'
import type { Asking } from '../records/asking.ts'
import type { Resource, Services } from '../resource.ts'
import { writeOnce } from '../security/write-once.ts'
import { text } from '../text.ts'
import { fieldForm, fieldOfForm, kindItems, kindLabel } from './field-form.ts'
import type { TenantModel } from './library.ts'
import { deleteField, deleteModule, type Saving, saveField, saveModule } from './save-module.ts'
import { derivedPages, filledPage } from './tenant-pages.ts'

const NAME = { type: 'string', minLength: 1, maxLength: 40 } as const
const BASE = { type: 'integer', minimum: 0 } as const
const body = (properties: object, required: readonly string[]) => ({
  body: {
    type: 'object',
    required: [...required, 'clientToken'],
    additionalProperties: false,
    properties: { clientToken: { type: 'string' }, ...properties },
  },
})
const config = { permission: 'system:form' } as const
const COUNT_MOST = 999

/** Modules and fields as data: what there is, and what a tenant says otherwise. */
export const modelRoutes: Resource = (app, services) => {
  const { database, modules: library } = services
  const moduleOf = async (
    name: string,
    { trx, caller }: Pick<Asking, 'trx' | 'caller'>,
  ): Promise<MergedModule> =>
    (await library.of(trx, caller.tenantId)).modules.get(name) ??
    refuse(404, 'NOT_FOUND', text('model.unknown'))

  app.post('/engine/web/module/list', { config }, (request) =>
    ask(services, callerOf(request), async (asking) => {
      const { modules, versions } = await library.of(asking.trx, asking.caller.tenantId)
      const records = await countOwn(asking)
      return {
        list: [...modules.values()].map((module) => ({
          ...headOf(module),
          version: versions.get(module.name) ?? 0,
          ...(module.origin === 'tenant' ? { records: records.get(module.name) ?? 0 } : {}),
        })),
        problems: library.problems().map((one) => ({ ...one })),
      }
    }),
  )

  app.get<{ Querystring: { name: string } }>(
    '/engine/web/module/detail',
    {
      config,
      schema: { querystring: { type: 'object', required: ['name'], properties: { name: NAME } } },
    },
    (request) =>
      ask(services, callerOf(request), async ({ trx, caller }) => {
        const { versions } = await library.of(trx, caller.tenantId)
        const module = await moduleOf(request.query.name, { trx, caller })
        return { description: module as unknown as Json, version: versions.get(module.name) ?? 0 }
      }),
  )

  app.get<{ Querystring: { module: string } }>(
    '/engine/web/field/list',
    {
      config,
      schema: { querystring: { type: 'object', required: ['module'], properties: { module: NAME } } },
    },
    (request) =>
      ask(services, callerOf(request), async (asking) => ({
        list: (await moduleOf(request.query.module, asking)).fields.map(fieldRow),
      })),
  )
  app.get<{ Querystring: { module: string; name?: string } }>(
    '/engine/web/field/detail',
    {
      config,
      schema: {
        querystring: {
          type: 'object',
          required: ['module'],
          properties: { module: NAME, name: { type: 'string', maxLength: 40 } },
        },
      },
    },
    (request) =>
      ask(services, callerOf(request), async (asking) => {
        const { module, name = '' } = request.query
        const { fields } = await moduleOf(module, asking)
        const field = fields.find((one) => one.name === name)
        if (name !== '' && field === undefined) refuse(404, 'NOT_FOUND', text('model.unknown-field'))
        const { modules } = await library.of(asking.trx, asking.caller.tenantId)
        return {
          form: field === undefined ? {} : fieldForm(field),
          origin: field?.origin ?? 'tenant',
          kinds: kindItems(),
          modules: [...modules.values()].map((one) => ({ value: one.name, label: labelText(one.label) })),
        }
      }),
  )

  const write = <Body extends object>(
    path: string,
    schema: object,
    work: (given: Body, saving: Saving) => Promise<{ readonly name: string; readonly version: number }>,
  ): void => {
    app.post(path, { config, schema }, async (request) => {
      const answer = await writeOnce(
        database,
        request,
        { action: path.replace('/engine/web/', '').replace('/', ':'), entity: 'module_override' },
        async (trx, caller) => {
          const before = await library.of(trx, caller.tenantId)
          const { name, version } = await work(request.body as Body, { trx, caller, library })
          await tellClients(services, before, trx, caller.tenantId)
          return { recordId: name, detail: { version, ...changeOf(request.body) }, data: { version } }
        },
      )
      // Rights came with the module: the maker has them with the next call.
      await services.sessions.changed(callerOf(request).userId)
      return answer
    })
  }
  write<{ description: Json; base?: number }>(
    '/engine/web/module/save',
    body({ description: { type: 'object' }, base: BASE }, ['description']),
    async ({ description, base }, saving) => ({
      version: await saveModule(description, base, saving),
      name: isObject(description) ? String(description.name) : '',
    }),
  )
  write<{ name: string; base?: number }>(
    '/engine/web/module/delete',
    body({ name: NAME, base: BASE }, ['name']),
    async ({ name, base }, saving) => ({ version: await deleteModule(name, base, saving), name }),
  )
  write<{ module: string; field?: Json; form?: JsonObject; name?: string; base?: number }>(
    '/engine/web/field/save',
    body({ module: NAME, field: { type: 'object' }, form: { type: 'object' }, name: NAME, base: BASE }, [
      'module',
    ]),
    async ({ module, field, form = {}, name, base }, saving) => {
      const { modules } = await library.of(saving.trx, saving.caller.tenantId)
      const before = modules.get(module)?.fields.find((one) => one.name === name)
      return {
        version: await saveField(module, field ?? fieldOfForm(form, before), base, saving),
        name: module,
      }
    },
  )
  write<{ module: string; name: string; base?: number }>(
    '/engine/web/field/delete',
    body({ module: NAME, name: NAME, base: BASE }, ['module', 'name']),
    async ({ module, name, base }, saving) => ({
      version: await deleteField(module, name, base, saving),
      name: module,
    }),
  )
}

/** Every page of a tenant as these modules make it: its path and its version. */
async function pagesOf(
  { pages }: Services,
  model: TenantModel,
  trx: Trx,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const published = await findAllPublished(trx, tenantId)
  const written = pages.paths().flatMap((path) => published.get(path) ?? pages.fromFile(path) ?? [])
  const all = [...written.map((page) => filledPage(page, model)), ...derivedPages(model)]
  return new Map(all.map(({ path, etag }) => [path, etag]))
}

/** Tells open clients which pages are others now: those of the module, and those of others that it has changed. */
async function tellClients(
  services: Services,
  before: TenantModel,
  trx: Trx,
  tenantId: string,
): Promise<void> {
  const { database, modules } = services
  const was = await pagesOf(services, before, trx, tenantId)
  const is = await pagesOf(services, await modules.within(trx, tenantId), trx, tenantId)
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path))
  for (const path of changed) {
    const event = { path, etag: is.get(path) ?? GONE }
    await database.notify(trx, PAGE_CHANNEL, JSON.stringify({ event, tenantId }))
  }
}

/** The version of a page that is there no more. */
const GONE = '"gone"'

/** A field in a list: what it is, in words. */
function fieldRow({ name, label, kind, origin, required, filter, sort, retired, changed }: MergedField) {
  const marks = [
    ...(required === true ? ['required' as const] : []),
    ...(filter === true ? ['filter' as const] : []),
    ...(sort === true ? ['sort' as const] : []),
  ]
  return {
    name,
    label: labelText(label),
    kind: kindLabel(kind),
    origin,
    changed: changed === true,
    retired: retired === true,
    marks: marks.map((mark) => text(`field.${mark}`)).join(' · '),
  }
}

/** A module in a list, without its fields. */
function headOf({ name, label, icon, origin, fields, behaviours }: MergedModule) {
  return {
    name,
    label: labelText(label),
    icon: icon ?? null,
    origin,
    behaviours,
    fields: fields.length,
    own_fields: fields.filter((field) => field.origin === 'tenant').length,
  }
}

/** Records of the tenant's own modules, each counted to 999. */
async function countOwn({ trx, caller }: Asking): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    module: string
    n: number
  }>`select module, least(count(*), ${COUNT_MOST})::int as n
    from record where tenant_id = ${caller.tenantId} and deleted_at is null group by module`.execute(trx)
  return new Map(rows.map(({ module, n }) => [module, n]))
}

/** What the audit row says of a change: the names, not the whole description. */
function changeOf(given: unknown): { readonly [key: string]: Json } {
  const { field, name } = isObject(given) ? given : {}
  return {
    ...(isObject(field) ? { field: field.name ?? null } : {}),
    ...(name === undefined ? {} : { name }),
  }
}
