import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { type Override, readOverrides } from '../../kernel/model/overrides.ts'
import { text } from '../../kernel/text/text.ts'
import { saveFieldForm } from '../modelling/save-field-form.ts'
import { deleteModule, type Saving, saveModule } from '../modelling/save-module.ts'
import { invalidChange } from './invalid-change.ts'
import type { Change, Doing, Done, ItemKind } from './item-kind.ts'

const permission = 'system:form' as const

/** A module of the tenant's own or its difference to one of the product's: `{ description, base }`. */
export const MODULE: ItemKind = {
  permission,
  async read({ description, base }, doing) {
    if (!isObject(description) || typeof description.name !== 'string') return invalidChange('description')
    const { name } = description
    return {
      name,
      content: { description },
      base: Number.isInteger(base) ? Number(base) : await versionOf(name, doing),
    }
  },
  apply: (change, doing) =>
    changing(change.name, doing, (saving) =>
      saveModule(change.content.description ?? null, Number(change.base), saving),
    ),
  now: async (name, _, doing) => versionOf(name, doing),
  revert: (name, undo, doing) => restore(name, undo, doing),
}

/** One field, as its sheet sends it: `{ module, name, form, base }`; `name` is '' for a new one. */
export const FIELD: ItemKind = {
  permission,
  async read({ module, name: given, form, base }, doing) {
    const name = given ?? ''
    if (typeof module !== 'string' || typeof name !== 'string' || !isObject(form))
      return invalidChange('field')
    return {
      name: `${module}/${name}`,
      content: { module, name, form },
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
    const done = await changing(given.module, doing, (saving) => saveFieldForm(given, saving, doing.asking))
    const after = await moduleOf(given.module, doing)
    const made = after?.fields.find((one) => !before?.fields.some((other) => other.name === one.name))
    return made === undefined || given.name !== '' ? done : { ...done, kept: withName(change, made.name) }
  },
  now: async (name, _, doing) => versionOf(name.split('/')[0] ?? '', doing),
  revert: (name, undo, doing) => restore(name.split('/')[0] ?? '', undo, doing),
}

/** A new field keeps the name it was given when it was tried, so that pages of the same set can name it. */
function withName({ content, base }: Change, name: string): Change {
  const form = isObject(content.form) ? content.form : {}
  return { name: `${String(content.module)}/${name}`, content: { ...content, form: { ...form, name } }, base }
}

async function changing(
  name: string,
  doing: Doing,
  save: (saving: Saving) => Promise<number>,
): Promise<Done> {
  const before = await moduleOf(name, doing)
  const was = await overrideOf(name, doing)
  const version = await save(savingOf(doing))
  const after = await moduleOf(name, doing)
  const label = after ?? before
  return {
    title: label === undefined ? name : labelText(label.label),
    words: differences(before, after),
    undo: { description: was === undefined || was.deleted ? null : was.description, kind: was?.kind ?? null },
    became: version,
  }
}

/** Says again what was said of the module before: nothing of the product's, or no module at all. */
async function restore(name: string, { description }: JsonObject, doing: Doing): Promise<void> {
  const saving = savingOf(doing)
  if (isObject(description)) await saveModule(description, undefined, saving)
  else if (doing.services.modules.vendor(name) !== undefined) await saveModule({ name }, undefined, saving)
  else await deleteModule(name, undefined, saving)
}

const savingOf = ({ asking: { trx, caller }, services }: Doing): Saving => ({
  trx,
  caller,
  library: services.modules,
})

async function overrideOf(name: string, { asking: { trx, caller } }: Doing): Promise<Override | undefined> {
  return (await readOverrides(trx, caller.tenantId)).find((one) => one.name === name)
}

const versionOf = async (name: string, doing: Doing): Promise<number> =>
  (await overrideOf(name, doing))?.version ?? 0

async function moduleOf(name: string, { asking, services }: Doing): Promise<MergedModule | undefined> {
  return (await services.modules.within(asking.trx, asking.caller.tenantId)).modules.get(name)
}

/** What is said otherwise of a module, in words. */
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
      .map((one) => text('changeset.field.added', { name: label(one) })),
    ...before.fields
      .filter(({ name }) => named(fields, name) === undefined)
      .map((one) => text('changeset.field.removed', { name: label(one) })),
    ...fields
      .filter((one) => isOther(one, named(before.fields, one.name)))
      .map((one) => text('changeset.field.changed', { name: label(one) })),
  ]
}
