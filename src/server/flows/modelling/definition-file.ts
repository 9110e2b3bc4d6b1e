import { isObject, type Json, type JsonObject, objectsIn } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Override } from '../../kernel/model/overrides.ts'
import { checksumOf } from '../../kernel/text/canonical.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readDict, saveDict } from '../admin/dicts.ts'
import { type Saving, saveModule } from './save-module.ts'

/** The first key of a file of definitions, and its format version. */
const FORMAT = 'crm-modules'
const VERSION = 1

/** One module in the file: a tenant's own, or its changes to one of the product's. */
interface FileModule {
  readonly name: string
  readonly kind: 'own' | 'difference'
  readonly description: JsonObject
}

interface FileDict {
  readonly key: string
  readonly name: string
  readonly tree: boolean
  readonly items: readonly JsonObject[]
}

/** The content of such a file. */
export interface Definitions {
  readonly modules: readonly FileModule[]
  readonly dicts: readonly FileDict[]
}

/** Modules and fields of a tenant as one file, with the dictionaries they use and a checksum. @param names  empty: all of them */
export async function definitionsOf(
  overrides: readonly Override[],
  names: readonly string[],
  ctx: CallContext,
): Promise<JsonObject> {
  const modules = overrides
    .filter(({ name, deleted }) => !deleted && (names.length === 0 || names.includes(name)))
    .map(({ name, kind, description }): FileModule => ({ name, kind, description }))
  const keys = [
    ...new Set(modules.flatMap(({ description }) => fieldsOf(description).map(({ dict }) => dict))),
  ]
  const dicts: FileDict[] = []
  for (const key of keys) {
    if (typeof key !== 'string') continue
    const { name, tree, system, items } = await readDict(key, ctx)
    if (!system) dicts.push({ key, name, tree, items: items.map((item) => ({ ...item })) })
  }
  const content = { modules, dicts } as unknown as JsonObject
  return { format: FORMAT, version: VERSION, ...content, checksum: checksumOf(content) }
}

/** Reads a file of definitions. @throws Refusal 400 for anything else, and for one that was edited by hand */
export function readDefinitions(written: string): Definitions {
  const given = parsed(written)
  if (!isObject(given) || given.format !== FORMAT || given.version !== VERSION)
    return refuse(400, 'VALIDATION', text('model.file.unknown'))
  const { modules = [], dicts = [] } = given
  if (checksumOf({ modules, dicts }) !== given.checksum)
    refuse(400, 'VALIDATION', text('model.file.tampered'))
  if (!Array.isArray(modules) || !Array.isArray(dicts))
    return refuse(400, 'VALIDATION', text('model.file.unknown'))
  return { modules: modules.filter(isFileModule), dicts: dicts.filter(isFileDict) }
}

/** The effect of importing a file. `refused` is the reason why it cannot be imported; '' if it can. */
export interface Step {
  readonly what: 'new' | 'changed' | 'same' | 'refused'
  readonly label: string
  readonly detail: string
}

/** Fields and modules of a file combined with the existing ones: nothing is removed. */
export function planOf(definitions: Definitions, ctx: CallContext, saving: Saving): readonly Step[] {
  const modules = definitions.modules.map(({ name, kind, description }): Step => {
    const existing = ctx.model.modules.get(name)
    const label = labelText(
      existing?.label ?? (description.label as MergedModule['label'] | undefined) ?? name,
    )
    const isVendors = saving.library.vendor(name) !== undefined
    if (isVendors !== (kind === 'difference'))
      return {
        what: 'refused',
        label,
        detail: text(isVendors ? 'model.file.name-taken' : 'model.file.no-module'),
      }
    if (existing === undefined)
      return { what: 'new', label, detail: text('model.file.fields', { n: fieldsOf(description).length }) }
    const added = fieldsOf(description).filter(
      (field) => !existing.fields.some(({ name: other }) => other === field.name),
    )
    const clash = fieldsOf(description).find((field) => {
      const same = existing.fields.find(({ name: other }) => other === field.name)
      return same !== undefined && field.kind !== undefined && field.kind !== same.kind
    })
    if (clash !== undefined)
      return { what: 'refused', label, detail: text('model.file.kind', { label: labelOf(clash) }) }
    const names = added.map(labelOf).join('、')
    return added.length > 0
      ? { what: 'changed', label, detail: text('model.file.adds', { names }) }
      : { what: 'same', label, detail: text('model.file.updates') }
  })
  return [
    ...modules,
    ...definitions.dicts.map(
      ({ name, items }): Step => ({
        what: 'changed',
        label: name,
        detail: text('model.file.dict', { n: items.length }),
      }),
    ),
  ]
}

/** Carries out {@link planOf}; if one step is refused, so are all. @returns the modules it changed */
export async function applyDefinitions(
  definitions: Definitions,
  overrides: readonly Override[],
  ctx: CallContext,
  saving: Saving,
): Promise<readonly string[]> {
  const refused = planOf(definitions, ctx, saving).find(({ what }) => what === 'refused')
  if (refused !== undefined)
    refuse(422, 'REFERENCED', text('model.file.refused', { label: refused.label, why: refused.detail }))
  if (definitions.dicts.length > 0) requires(ctx.caller, 'system:dict')
  for (const dict of definitions.dicts) await bringDict(dict, ctx)
  const coming = new Map(
    definitions.modules.map(({ name, description }): [string, JsonObject] => {
      const existing = overrides.find((override) => override.name === name && !override.deleted)
      return [name, existing === undefined ? description : mergedOver(existing.description, description)]
    }),
  )
  for (const description of coming.values()) await saveModule(description, undefined, { ...saving, coming })
  return definitions.modules.map(({ name }) => name)
}

/** Missing values are added; existing ones keep their labels. */
async function bringDict({ key, name, tree, items }: FileDict, ctx: CallContext): Promise<void> {
  const existing = await readDict(key, ctx).catch(() => null)
  if (existing === null) await saveDict({ id: key, create: true, name, tree, items }, ctx)
  else if (!existing.system) {
    const missing = items.filter((item) => !existing.items.some(({ value }) => value === item.value))
    if (missing.length > 0) await saveDict({ id: key, items: missing }, ctx)
  }
}

/** A description applied to an existing one: fields of the same names are replaced, all others stay. */
export function mergedOver(existing: JsonObject, given: JsonObject): JsonObject {
  const fields = amid(fieldsOf(existing), fieldsOf(given))
  return { ...existing, ...given, fields, ...groupsOver(existing, given) }
}

/** The given ones in their order, and existing others where they stand: after what they stand after now. */
function amid(existing: readonly JsonObject[], given: readonly JsonObject[]): readonly JsonObject[] {
  const all = [...given]
  const placeOf = (one: JsonObject | undefined): number => all.findIndex(({ name }) => name === one?.name)
  existing.forEach((one, i) => {
    if (placeOf(one) === -1) all.splice(placeOf(existing[i - 1]) + 1, 0, one)
  })
  return all
}

/** The given groups; an existing field that the file does not know stays in its group, after what it stands after now. */
function groupsOver(existing: JsonObject, given: JsonObject): JsonObject {
  if (!Array.isArray(given.groups) || !Array.isArray(existing.groups)) return {}
  const groups = objectsIn(given.groups)
  const placed = new Set(groups.flatMap(fieldNames))
  const known = new Set([...placed, ...fieldsOf(given).map(({ name }) => name)])
  const kept = objectsIn(existing.groups).map((group) => {
    const fields = fieldNames(group).filter((name) => !known.has(name))
    return { group, fields, among: fieldNames(group) }
  })
  const merged = groups.map((group): JsonObject => {
    const was = kept.find((one) => one.group.name === group.name)
    if (was === undefined || was.fields.length === 0) return group
    const own = fieldNames(group)
    const around = was.among.filter((name) => was.fields.includes(name) || own.includes(name))
    return { ...group, fields: amid(around.map(asNamed), own.map(asNamed)).map(({ name }) => name ?? null) }
  })
  const others = kept.filter(
    ({ group, fields }) => fields.length > 0 && !groups.some(({ name }) => name === group.name),
  )
  return { groups: [...merged, ...others.map(({ group, fields }) => ({ ...group, fields }))] }
}

const fieldNames = ({ fields }: JsonObject): readonly Json[] => (Array.isArray(fields) ? fields : [])
const asNamed = (name: Json): JsonObject => ({ name })

const fieldsOf = ({ fields }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject)

const labelOf = ({ label, name }: JsonObject): string =>
  typeof label === 'string' || isObject(label) ? labelText(label as MergedModule['label']) : String(name)

const isFileModule = (one: unknown): one is FileModule & JsonObject =>
  isObject(one) &&
  typeof one.name === 'string' &&
  (one.kind === 'own' || one.kind === 'difference') &&
  isObject(one.description) &&
  one.description.name === one.name

const isFileDict = (one: unknown): one is FileDict & JsonObject =>
  isObject(one) && typeof one.key === 'string' && typeof one.name === 'string' && Array.isArray(one.items)

function parsed(written: string): Json {
  try {
    return JSON.parse(written) as Json
  } catch {
    return null
  }
}
