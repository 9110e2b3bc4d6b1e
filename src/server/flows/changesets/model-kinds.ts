import { isObject, type Json, type JsonObject, listOf, sameJson } from '../../../../runtime/core/json.ts'
import type { Behaviour } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../../../model/merge-module.ts'
import { type Override, readOverrides } from '../../kernel/model/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { deleteUnused } from '../modelling/delete-field.ts'
import { retiredForm } from '../modelling/field-form.ts'
import { type SettingsForm, saveSettings } from '../modelling/module-settings.ts'
import { deleteUnusedModule, refuseNamingLost } from '../modelling/module-usage.ts'
import { newModule } from '../modelling/new-module.ts'
import { saveFieldForm } from '../modelling/save-field-form.ts'
import { deleteModule, type Saving, saveModule } from '../modelling/save-module.ts'
import { saveOrder } from '../modelling/save-order.ts'
import { shareModule } from '../modelling/share-module.ts'
import { invalidChange } from './invalid-change.ts'
import { type Change, type ChangeContext, type ChangeResult, type ItemKind, unchanged } from './item-kind.ts'

const permission = 'system:form' as const

/**
 * A module of the tenant's own, or its changes to one of the product's: `{ description, base }`; a new one from its sheet: `{ form }`; its settings
 * or the order of its fields, as sent by their sheets: `{ module, settings, base }`, `{ module, order }`.
 */
export const MODULE: ItemKind = {
  permission,
  async read(given, doing, existing) {
    const { name, content } = await readModuleChange(given, doing)
    const before = existing(name)
    const base = Number.isInteger(given.base) ? Number(given.base) : await versionOf(name, doing)
    return { name, content: { ...before?.content, ...content }, base: before?.base ?? base }
  },
  async apply({ name, content, base }, doing) {
    const { description, settings, order, share } = content
    const done = await changing(name, doing, async (saving) => {
      let version = Number(base)
      if (description !== undefined) version = await saveModule(description, version, saving)
      if (isObject(settings)) version = await saveSettings(readSettings(name, settings), saving)
      if (isObject(order)) version = await saveOrder(name, order, undefined, saving)
      return version
    })
    if (!isObject(share)) return done
    const behaviours = isObject(description) ? listOf(description.behaviours ?? null).map(String) : []
    const created = { name, behaviours: behaviours as readonly Behaviour[] }
    return { ...done, people: await shareModule(created, share.roles, share.scope, doing.ctx) }
  },
  now: async (name, _, doing) => versionOf(name, doing),
  revert: (name, undo, doing) => restore(name, undo, doing),
  reverted: (name, doing) => refuseNamingLost(name, savingOf(doing), doing.services),
}

async function readModuleChange(
  { description, form, module, settings, order, base }: JsonObject,
  { ctx, services }: ChangeContext,
): Promise<Pick<Change, 'name' | 'content'>> {
  if (isObject(description) && typeof description.name === 'string')
    return { name: description.name, content: { description } }
  if (isObject(form)) {
    const created = await newModule(form, ctx, services.config.schemasDir)
    const share = { roles: form.roles ?? null, scope: form.scope ?? null }
    return { name: created.name, content: { description: created as unknown as JsonObject, share } }
  }
  if (typeof module !== 'string') return invalidChange('module')
  if (isObject(settings))
    return { name: module, content: { settings: { form: settings, base: base ?? null } } }
  if (isObject(order)) return { name: module, content: { order } }
  return invalidChange('module')
}

const readSettings = (module: string, { form, base }: JsonObject): SettingsForm => ({
  module,
  form: isObject(form) ? form : {},
  base: typeof base === 'number' ? base : undefined,
})

/** Deletes a module of the tenant's own that nothing else uses: `{ name }`. Its records stay. */
export const MODULE_DELETE: ItemKind = {
  permission,
  async read({ name, base }, doing) {
    if (typeof name !== 'string') return invalidChange('name')
    return { name, content: {}, base: Number.isInteger(base) ? Number(base) : await versionOf(name, doing) }
  },
  async apply({ name, base }, doing) {
    const done = await changing(name, doing, (saving) =>
      deleteUnusedModule(name, Number(base), saving, doing.services),
    )
    return { ...done, words: [text('changeset.module.removed')] }
  },
  now: async (name, _, doing) => versionOf(name, doing),
  revert: (name, undo, doing) => restore(name, undo, doing),
}

/**
 * One field, as sent by its sheet: `{ module, name, form, base }`; `name` is '' for a new one. `{ module, name, retired }` retires or restores it.
 */
export const FIELD: ItemKind = {
  permission,
  async read({ module, name: given, form, retired, base }, doing) {
    const name = given ?? ''
    if (typeof module !== 'string' || typeof name !== 'string') return invalidChange('field')
    const fieldForm =
      typeof retired === 'boolean' ? retiredForm(await fieldOf(module, name, doing), retired) : form
    if (!isObject(fieldForm)) return invalidChange('form')
    return {
      name: `${module}/${name}`,
      content: { module, name, form: fieldForm },
      base: Number.isInteger(base) ? Number(base) : await versionOf(module, doing),
    }
  },
  async apply(change, doing) {
    const { module, name, form } = change.content
    const given = {
      module: String(module),
      name: String(name),
      form: form as JsonObject,
      base: Number(change.base),
    }
    const before = await moduleOf(given.module, doing)
    const done = await changing(given.module, doing, (saving) => saveFieldForm(given, saving, doing.ctx))
    const after = await moduleOf(given.module, doing)
    const addedField = after?.fields.find(
      (field) => !before?.fields.some((other) => other.name === field.name),
    )
    return addedField === undefined || given.name !== ''
      ? done
      : { ...done, changeToStore: withName(change, addedField.name) }
  },
  now: async (name, _, doing) => versionOf(moduleIn(name), doing),
  revert: (name, undo, doing) => restore(moduleIn(name), undo, doing),
}

/** Deletes a field: `{ module, name }`. The values in records stay. */
export const FIELD_DELETE: ItemKind = {
  permission,
  async read({ module, name }, doing) {
    if (typeof module !== 'string' || typeof name !== 'string') return invalidChange('field')
    await fieldOf(module, name, doing)
    return { name: `${module}/${name}`, content: { module, name }, base: await versionOf(module, doing) }
  },
  async apply({ content }, doing) {
    const going = { module: String(content.module), name: String(content.name), base: undefined }
    const { ctx, services } = doing
    return changing(going.module, doing, (saving) => deleteUnused(going, saving, ctx, services))
  },
  now: async (name, _, doing) => versionOf(moduleIn(name), doing),
  revert: (name, undo, doing) => restore(moduleIn(name), undo, doing),
}

const moduleIn = (name: string): string => name.split('/')[0] ?? ''

/** A new field keeps the name it got when the change was tried, so that pages of the same set can use it. */
function withName({ content, base }: Change, name: string): Change {
  const form = isObject(content.form) ? content.form : {}
  return { name: `${String(content.module)}/${name}`, content: { ...content, form: { ...form, name } }, base }
}

async function changing(
  name: string,
  doing: ChangeContext,
  save: (saving: Saving) => Promise<number>,
): Promise<ChangeResult> {
  const before = await moduleOf(name, doing)
  const was = await overrideOf(name, doing)
  const version = await save(savingOf(doing))
  const after = await moduleOf(name, doing)
  const label = after ?? before
  const title = label === undefined ? name : labelText(label.label)
  if (was !== undefined && was.version === version) return unchanged(title)
  return {
    title,
    words: differences(before, after),
    undo: { description: was === undefined || was.deleted ? null : was.description, kind: was?.kind ?? null },
    became: version,
  }
}

/** Restores the previous changes to the module: none to a product module, or no module at all, unless something else uses it by now. */
async function restore(name: string, { description }: JsonObject, doing: ChangeContext): Promise<void> {
  const saving = savingOf(doing)
  if (isObject(description)) await saveModule(description, undefined, saving)
  else if (doing.services.modules.vendor(name) !== undefined) await saveModule({ name }, undefined, saving)
  else await deleteModule(name, undefined, saving)
}

const savingOf = ({ ctx: { trx, caller }, services, coming }: ChangeContext): Saving => ({
  trx,
  caller,
  library: services.modules,
  keepsSame: true,
  ...(coming === undefined ? {} : { coming: coming.modules }),
  pages: services.pages,
})

async function overrideOf(
  name: string,
  { ctx: { trx, caller } }: ChangeContext,
): Promise<Override | undefined> {
  return (await readOverrides(trx, caller.tenantId)).find((one) => one.name === name)
}

const versionOf = async (name: string, doing: ChangeContext): Promise<number> =>
  (await overrideOf(name, doing))?.version ?? 0

async function fieldOf(module: string, name: string, doing: ChangeContext): Promise<MergedField> {
  const found = (await moduleOf(module, doing))?.fields.find((field) => field.name === name)
  return found ?? refuse(404, 'NOT_FOUND', text('model.unknown-field'))
}

async function moduleOf(name: string, { ctx, services }: ChangeContext): Promise<MergedModule | undefined> {
  return (await services.modules.within(ctx.trx, ctx.caller.tenantId)).modules.get(name)
}

/** The differences of a module, as texts. */
function differences(before: MergedModule | undefined, after: MergedModule | undefined): readonly string[] {
  if (before === undefined) return [text('changeset.module.new')]
  const fields = after?.fields ?? []
  const named = (list: readonly MergedField[], name: string) => list.find((one) => one.name === name)
  const label = (field: MergedField): string => labelText(field.label)
  const isOther = (field: MergedField, was: MergedField | undefined) =>
    was !== undefined && !sameJson(was as unknown as Json, field as unknown as Json)
  return [
    ...fields
      .filter(({ name }) => named(before.fields, name) === undefined)
      .map((field) => text('changeset.field.added', { name: label(field) })),
    ...before.fields
      .filter(({ name }) => named(fields, name) === undefined)
      .map((field) => text('changeset.field.removed', { name: label(field) })),
    ...fields
      .filter((field) => isOther(field, named(before.fields, field.name)))
      .map((field) => text('changeset.field.changed', { name: label(field) })),
    ...(isElse(before, after) ? [text('changeset.module.changed')] : []),
    ...(isMoved(before, after) ? [text('changeset.module.order')] : []),
  ]
}

/** Whether a module differs in more than its fields. */
function isElse(before: MergedModule, after: MergedModule | undefined): boolean {
  const rest = ({ fields: _, groups: __, ...content }: MergedModule): Json => content as unknown as Json
  return after !== undefined && !sameJson(rest(before), rest(after))
}

/** Whether common fields are in a different order. */
function isMoved(before: MergedModule, after: MergedModule | undefined): boolean {
  if (after === undefined) return false
  const names = (module: MergedModule) => groupsOf(module).flatMap(({ fields }) => fields)
  const [were, are] = [names(before), names(after)]
  return !sameJson(
    were.filter((one) => are.includes(one)),
    are.filter((one) => were.includes(one)),
  )
}
