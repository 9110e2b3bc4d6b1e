import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { fieldProblems } from '../../../model/check-field.ts'
import type { Field } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../../../model/merge-module.ts'
import { parentField } from '../../../model/tree.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { derivedWords } from '../../kernel/model/tenant-pages.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readDicts } from '../dict/routes.ts'
import { convertPreview } from './convert-preview.ts'
import { readableRules } from './expressions.ts'
import { optionItems, retiredForm, rolledItems } from './field-form.ts'
import { fieldOfForm } from './field-of-form.ts'
import { fieldUsage, usageWords } from './field-usage.ts'
import { fieldDetail, fieldList, valuesOf } from './field-views.ts'
import { modelWriter } from './model-writer.ts'
import { type SettingsForm, saveSettings, settingsForm } from './module-settings.ts'
import { moduleUsage, moduleUsageWords } from './module-usage.ts'
import { FACES, previewOf } from './preview.ts'
import { BASE, body, FIELD, NAME, query } from './route-schemas.ts'
import { saveFieldForm } from './save-field-form.ts'
import { saveOrder } from './save-order.ts'
import { statusChoices } from './statuses.ts'

const config = { permission: 'system:form' } as const
/** An unsaved field, in its preview. */
const NEW = 'preview_field'

/** The calls of the screens 模块与字段 that are not open to all: lists, sheets, usage, order, preview. */
export const modelScreenRoutes: Resource = (app, services) => {
  readRoutes(app, services)
  previewRoutes(app, services)
  writeRoutes(app, services)
}

const moduleOf = (name: string, { model }: CallContext): MergedModule =>
  model.modules.get(name) ?? refuse(404, 'NOT_FOUND', text('model.unknown'))
const fieldOf = ({ fields }: MergedModule, name: string): MergedField =>
  fields.find((field) => field.name === name) ?? refuse(404, 'NOT_FOUND', text('model.unknown-field'))

const readRoutes: Resource = (app, services) => {
  const { modules: library } = services
  const versionOf = async (name: string, { trx, caller }: CallContext): Promise<number> =>
    (await library.of(trx, caller.tenantId)).versions.get(name) ?? 0
  const isNeeded = (module: string, name: string): boolean =>
    library.vendor(module)?.fields.find((field) => field.name === name)?.required === true

  const read = (
    path: string,
    required: readonly string[],
    work: (given: Readonly<Record<string, string>>, ctx: CallContext) => Promise<object>,
  ): void => {
    app.get<{ Querystring: Readonly<Record<string, string>> }>(
      path,
      { config, schema: { querystring: query(required) } },
      (request) => runRead(services, callerOf(request), (ctx) => work(request.query, ctx)),
    )
  }

  read('/engine/web/field/list', ['module'], async ({ module = '' }, ctx) => ({
    ...(await fieldList(moduleOf(module, ctx), ctx)),
    version: await versionOf(module, ctx),
  }))

  read('/engine/web/field/detail', ['module'], async ({ module = '', name = '' }, ctx) => {
    const described = moduleOf(module, ctx)
    const field = name === '' ? undefined : fieldOf(described, name)
    const { form, ...detail } = await fieldDetail(described, field, ctx)
    const version = await versionOf(module, ctx)
    return { form: { ...form, version }, ...detail, needed: isNeeded(module, name) }
  })

  read('/engine/web/field/values', ['module'], async ({ module = '', name = '' }, ctx) => ({
    list: await valuesOf(moduleOf(module, ctx), name, ctx),
  }))

  read('/engine/web/field/rolled', ['module'], async ({ at = '', of = '' }, { model }) => ({
    list: rolledItems(model.modules.get(at.split('/')[0] ?? ''), of),
  }))

  read('/engine/web/field/usage', ['module', 'name'], async ({ module = '', name = '' }, ctx) => {
    const described = moduleOf(module, ctx)
    return usageWords(
      await fieldUsage(described, fieldOf(described, name), ctx, services),
    ) as unknown as object
  })

  read('/engine/web/module/settings', ['module'], async ({ module = '' }, ctx) => {
    const described = moduleOf(module, ctx)
    if (described.origin !== 'tenant') refuse(404, 'NOT_FOUND', text('model.unknown'))
    const form = settingsForm(described)
    return {
      form: { ...form, version: await versionOf(module, ctx) },
      statuses: [
        { value: '', label: text('model.no-status') },
        ...statusChoices(described).map(({ name, label }) => ({ value: name, label: labelText(label) })),
      ],
      states: (described.fields.find(({ name }) => name === form.status)?.options ?? []).map(
        ({ value, label }) => ({ value, label: labelText(label) }),
      ),
      usage: moduleUsageWords(await moduleUsage(module, ctx, services)),
    }
  })
}

const previewRoutes: Resource = (app, services) => {
  app.post<{ Body: { module: string; name?: string; form?: JsonObject } }>(
    '/engine/web/field/preview/list',
    {
      config,
      schema: {
        body: {
          type: 'object',
          required: ['module'],
          properties: {
            module: NAME,
            name: { type: ['string', 'null'], maxLength: 40 },
            form: { type: 'object' },
          },
        },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => {
        const { module, name, form } = request.body
        const described = moduleOf(module, ctx)
        const shown = form === undefined ? described : withPreviewed(described, name ?? '', form)
        const dicts = await readDicts(ctx.trx, ctx.caller.tenantId)
        const focus = form === undefined ? undefined : name || NEW
        const isThere = focus === undefined || shown.fields.some((one) => one.name === focus)
        const field = shown.fields.find((one) => one.name === focus)
        const path = described.origin === 'tenant' ? undefined : described.pages?.form
        const page = path === undefined ? null : await services.pages.find(ctx.trx, ctx.caller.tenantId, path)
        const around = {
          words: derivedWords(),
          dicts,
          form: page?.document ?? null,
          focus: isThere ? focus : undefined,
        }
        const items = field?.dict === undefined ? undefined : (dicts[field.dict] ?? [])
        return {
          ...Object.fromEntries(FACES.map((face) => [face, previewOf(face, shown, around)])),
          options: field?.kind === 'choice' ? optionItems(field, items) : [],
        }
      }),
  )

  app.post<{ Body: { module: string; name: string; form: JsonObject } }>(
    '/engine/web/field/convert/list',
    {
      config,
      schema: {
        body: {
          type: 'object',
          required: ['module', 'name', 'form'],
          properties: { module: NAME, name: NAME, form: { type: 'object' } },
        },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => {
        const { module, name, form } = request.body
        const described = moduleOf(module, ctx)
        const was = fieldOf(described, name)
        return convertPreview(described, was, withFormOf(described, was, form), ctx)
      }),
  )
}

const writeRoutes: Resource = (app, services) => {
  const write = modelWriter(app, services)
  write<SettingsForm>(
    '/engine/web/module/settings/save',
    body({ module: NAME, form: { type: 'object' }, base: BASE }, ['module', 'form']),
    async (given, saving) => ({ name: given.module, version: await saveSettings(given, saving) }),
  )
  write<{ module: string; order: JsonObject; base?: number }>(
    '/engine/web/field/order',
    body({ module: NAME, order: { type: 'object' }, base: BASE }, ['module', 'order']),
    async ({ module, order, base }, saving) => ({
      name: module,
      version: await saveOrder(module, order, base, saving),
    }),
  )
  write<{ module: string; name: string; retired: boolean }>(
    '/engine/web/field/retire',
    body({ module: NAME, name: FIELD, retired: { type: 'boolean' } }, ['module', 'name', 'retired']),
    async ({ module, name, retired }, saving, ctx) => {
      const described = moduleOf(module, ctx)
      if (retired && described.origin === 'tenant' && described.title === name)
        refuse(422, 'REFERENCED', text('model.title-retired'))
      if (retired && parentField(described)?.name === name) refuse(422, 'REFERENCED', text('tree.kept'))
      const form = retiredForm(fieldOf(described, name), retired)
      return {
        name: module,
        version: await saveFieldForm({ module, name, form, base: undefined }, saving, ctx),
      }
    },
  )
}

/** The field in the sheet, valid or not: options may still be missing. */
const withFormOf = (module: MergedModule, was: MergedField, form: JsonObject): Field => {
  const { options = [], ...field } = fieldOfForm(readableRules(form, module, was.name), was)
  const dict = field.dict === undefined ? { options } : {}
  return { ...field, ...(becomesChoice(field) ? dict : {}) } as unknown as Field
}

const becomesChoice = ({ kind }: JsonObject): boolean => kind === 'choice' || kind === 'choices'

/** The module with the changes in the sheet; the stored one while the field is invalid. */
function withPreviewed(module: MergedModule, name: string, form: JsonObject): MergedModule {
  const before = module.fields.find((one) => one.name === name)
  const label =
    typeof form.label === 'string' && form.label.trim() !== '' ? form.label : text('model.sample.new')
  const rows = Array.isArray(form.options) ? form.options.filter((option) => hasLabel(option)) : []
  const options = rows.length > 0 ? rows : [{ value: 'v1', label: text('model.sample.option') }]
  const given = {
    ...readableRules(form, module, name),
    label,
    name: name || NEW,
    options,
    source: form.source === 'new' ? 'options' : (form.source ?? null),
  }
  const field = fieldOfForm(given, before)
  if (fieldProblems(field, '').length > 0) return module
  const shown = { ...field, origin: before?.origin ?? 'tenant' } as unknown as MergedField
  const fields =
    before === undefined
      ? [...module.fields, shown]
      : module.fields.map((one) => (one === before ? shown : one))
  const group = groupsOf({ ...module, fields }).find((one) =>
    before === undefined ? one.name === form.group : one.fields.includes(name),
  )
  const groups = groupsOf(module).map((one) =>
    before === undefined && one.name === group?.name ? { ...one, fields: [...one.fields, NEW] } : one,
  )
  return { ...module, fields, groups }
}

const hasLabel = (row: Json): boolean => isObject(row) && typeof row.label === 'string' && row.label !== ''
