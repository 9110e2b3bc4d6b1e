import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { FILES } from '../../../model/derived/held-files.ts'
import { labelText } from '../../../model/labels.ts'
import { type MergedModule, madeBy } from '../../../model/merge-module.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { deleteUnused } from './delete-field.ts'
import { modelWriter } from './model-writer.ts'
import { deleteUnusedModule } from './module-usage.ts'
import { BASE, body, FIELD, NAME } from './route-schemas.ts'
import { saveFieldForm } from './save-field-form.ts'
import { saveField, saveModule } from './save-module.ts'

const config = { permission: 'system:form' } as const
const MAX_COUNT = 999

/** Modules and fields as data: the existing ones, and a tenant's changes. */
export const modelRoutes: Resource = (app, services) => {
  const { modules: library } = services
  const moduleOf = async (
    name: string,
    { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
  ): Promise<MergedModule> =>
    (await library.of(trx, caller.tenantId)).modules.get(name) ??
    refuse(404, 'NOT_FOUND', text('model.unknown'))

  app.post('/engine/web/module/list', { config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const { modules, versions } = await library.of(ctx.trx, ctx.caller.tenantId)
      const records = await countOwn(ctx)
      return {
        list: inOrder([...modules.values()]).map((module) => ({
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
      runRead(services, callerOf(request), async ({ trx, caller }) => {
        const { versions } = await library.of(trx, caller.tenantId)
        const module = await moduleOf(request.query.name, { trx, caller })
        return { description: module as unknown as Json, version: versions.get(module.name) ?? 0 }
      }),
  )

  const write = modelWriter(app, services)
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
    async ({ name, base }, saving) => ({
      version: await deleteUnusedModule(name, base, saving, services),
      name,
    }),
  )
  write<{ module: string; field?: Json; form?: JsonObject; name?: string; base?: number }>(
    '/engine/web/field/save',
    body({ module: NAME, field: { type: 'object' }, form: { type: 'object' }, name: FIELD, base: BASE }, [
      'module',
    ]),
    async ({ module, field, form = {}, name = '', base }, saving, ctx) => ({
      version: await (field === undefined
        ? saveFieldForm({ module, name, form, base }, saving, ctx)
        : saveField(module, field, base, saving)),
      name: module,
    }),
  )
  write<{ module: string; name: string; base?: number }>(
    '/engine/web/field/delete',
    body({ module: NAME, name: NAME, base: BASE }, ['module', 'name']),
    async (given, saving, ctx) => ({
      version: await deleteUnused({ base: undefined, ...given }, saving, ctx, services),
      name: given.module,
    }),
  )
}

/** The product's modules in a fixed order, then those of the tenant by name. */
const USED = [
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'plan',
  'product',
  'activity',
  'follow',
  'todo',
]

function inOrder(modules: readonly MergedModule[]): readonly MergedModule[] {
  const rank = ({ name }: MergedModule): number => (USED.includes(name) ? USED.indexOf(name) : USED.length)
  return [...modules].sort(
    (a, b) => rank(a) - rank(b) || labelText(a.label).localeCompare(labelText(b.label), 'zh'),
  )
}

function headOf(module: MergedModule) {
  const { name, label, icon, behaviours } = module
  // The field of the files behaviour was not created by anybody.
  const fields = module.fields.filter((field) => field.name !== FILES)
  return {
    name,
    label: labelText(label),
    icon: icon ?? null,
    origin: madeBy(module),
    behaviours,
    fields: fields.length,
    own_fields: fields.filter((field) => madeBy(field) === 'tenant').length,
  }
}

/** The number of records in the tenant's own modules, each counted to 999. */
async function countOwn({ trx, caller }: CallContext): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    module: string
    n: number
  }>`select module, least(count(*), ${MAX_COUNT})::int as n
    from record where tenant_id = ${caller.tenantId} and deleted_at is null group by module`.execute(trx)
  return new Map(rows.map(({ module, n }) => [module, n]))
}
