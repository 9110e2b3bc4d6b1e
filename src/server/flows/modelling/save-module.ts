import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  ownValue,
  sameJson,
} from '../../../../runtime/core/json.ts'
import { besideProblems } from '../../../model/beside-names.ts'
import { changedFieldProblems } from '../../../model/changed-fields.ts'
import { checkModule, tooManyProblems } from '../../../model/check-module.ts'
import type { Field, ModuleDescription } from '../../../model/description.ts'
import { externalNameProblems, externalNames, type ModuleNames } from '../../../model/external-names.ts'
import { searchProblems } from '../../../model/indexed-fields.ts'
import { labelText } from '../../../model/labels.ts'
import {
  asMerged,
  differenceProblems,
  MAX_OWN_MODULES,
  type MergedModule,
  mergeModule,
  tooManyOwnProblems,
} from '../../../model/merge-module.ts'
import type { ModuleProblem } from '../../../model/module-problem.ts'
import { ownBehaviourProblems } from '../../../model/own-behaviours.ts'
import { asWritten } from '../../../model/read-back.ts'
import { recordNameProblems, titleProblems } from '../../../model/record-names.ts'
import { rollupProblems } from '../../../model/rollups.ts'
import { rowProblems } from '../../../model/rows.ts'
import { ruleNameProblems } from '../../../model/rule-names.ts'
import { keepsParent, withParent } from '../../../model/tree.ts'
import { namedUses } from '../../kernel/approvals/value-naming.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { ModuleLibrary, TenantModel } from '../../kernel/model/library.ts'
import { hideInMenu, placeInMenu } from '../../kernel/model/menu.ts'
import { addOverride, lockModules, type Override, readOverrides } from '../../kernel/model/overrides.ts'
import { mirrorFields } from '../../kernel/model/own-index.ts'
import type { PageLibrary } from '../../kernel/pages/library.ts'
import { dictionariesOf } from '../../kernel/pages/names.ts'
import { shownProblem } from '../../kernel/text/author.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { convert, type KindChange, kindChanges, refuseConverting } from './change-kind.ts'
import { convertViews } from './convert-views.ts'
import { grantOwnModule } from './grant.ts'
import { lostOptions, refuseHeldValues, refuseWaiting } from './held-values.ts'
import { keepsOwnFields } from './no-more-fields.ts'
import { openPool } from './open-pool.ts'
import { openTree, treeWords } from './open-tree.ts'
import { retitle } from './retitle.ts'
import { valueUses } from './value-usage.ts'

/** The author, the transaction, and the product's modules. */
export interface Saving {
  readonly trx: Trx
  readonly caller: Caller
  readonly library: ModuleLibrary
  /** Descriptions by name that are saved together with this one: it may name what they bring. */
  readonly coming?: ReadonlyMap<string, JsonObject>
  /** A description that says what the current one says is not written: the version stays. */
  readonly keepsSame?: boolean
  readonly pages: PageLibrary
}

/**
 * Saves a module of the tenant's own, or its changes to one of the product's.
 *
 * @param base  the version that was changed; if the current one differs, 409 with the current state. Absent: replaces what was there when the call
 *   came, and is 409 for a module that somebody else made meanwhile
 * @throws Refusal 400 with `data.problems`, 409 VERSION_CONFLICT, 422 above 50 own modules
 */
export async function saveModule(
  description: Json,
  base: number | undefined,
  saving: Saving,
): Promise<number> {
  const known = base ?? (await baseOfNew(description, saving))
  const overrides = await lockedOverrides(saving)
  return store(description, known, overrides, saving)
}

/** The base of a module that is not there yet, before anybody is waited for. */
async function baseOfNew(description: Json, { trx, caller, library }: Saving): Promise<0 | undefined> {
  const name = ownValue(description, 'name')
  const overrides = await readOverrides(trx, caller.tenantId)
  const isThere =
    overrides.some((override) => override.name === name && !override.deleted) ||
    library.vendor(String(name)) !== undefined
  return isThere ? undefined : 0
}

/** Deletes a module of the tenant's own; its records stay and are available again if it is restored. */
export async function deleteModule(name: string, base: number | undefined, saving: Saving): Promise<number> {
  const overrides = await lockedOverrides(saving)
  const found = overrides.find((override) => override.name === name && !override.deleted)
  if (found === undefined) refuse(404, 'NOT_FOUND', text('model.unknown'))
  refuseStale(found, base, saving)
  await refuseConverting(name, {}, found.description, saving)
  await hideInMenu(name, saving)
  return next({ ...found, deleted: true }, overrides, saving)
}

/** Adds a field, or replaces the one with its name: in an own module, or in the changes to one of the product's. */
export function saveField(
  module: string,
  field: Json,
  base: number | undefined,
  saving: Saving,
): Promise<number> {
  return changeModule(module, base, saving, (description) => withField(description, field))
}

/** A module's description with one more field, or with a field replaced. */
export function withField(description: JsonObject, field: Json): JsonObject {
  const name = isObject(field) ? field.name : undefined
  const before = fieldsOf(description)
  const isThere = before.some((one) => one.name === name)
  const fields = isThere ? before.map((one) => (one.name === name ? field : one)) : [...before, field]
  return { ...description, fields: fields as Json[] }
}

/** Deletes a tenant's own field, or the changes to one of the product's; values stay. */
export function deleteField(
  module: string,
  name: string,
  base: number | undefined,
  saving: Saving,
): Promise<number> {
  return changeModule(module, base, saving, (description) => {
    if (!fieldsOf(description).some((field) => field.name === name)) {
      const isVendors = saving.library.vendor(module)?.fields.some((field) => field.name === name)
      if (isVendors) refuse(422, 'REFERENCED', text('model.not-own'))
      refuse(404, 'NOT_FOUND', text('model.unknown-field'))
    }
    if (description.title === name) refuse(422, 'REFERENCED', text('model.title-field'))
    if (keepsParent(description, name)) refuse(422, 'REFERENCED', text('tree.kept'))
    return withoutField(description, name)
  })
}

/** A module's description without a field. */
export function withoutField(description: JsonObject, name: string): JsonObject {
  const groups = (Array.isArray(description.groups) ? description.groups : [])
    .filter(isObject)
    .map((group) => ({
      ...group,
      fields: (Array.isArray(group.fields) ? group.fields : []).filter((one) => one !== name),
    }))
  const fields = fieldsOf(description).filter((field) => field.name !== name)
  return { ...description, fields, ...(groups.length > 0 ? { groups } : {}) }
}

/**
 * Makes one change to a tenant's module, even if others change it at the same time.
 *
 * @throws Refusal as {@link saveModule}
 */
export async function changeModule(
  name: string,
  base: number | undefined,
  saving: Saving,
  change: (description: JsonObject, version: number) => JsonObject | Promise<JsonObject>,
): Promise<number> {
  const overrides = await lockedOverrides(saving)
  const description = descriptionOf(name, overrides, saving)
  const version = overrides.find((override) => override.name === name)?.version ?? 0
  return store(await change(description, version), base, overrides, saving)
}

async function lockedOverrides({ trx, caller }: Saving): Promise<readonly Override[]> {
  await lockModules(trx, caller.tenantId)
  return readOverrides(trx, caller.tenantId)
}

/** The tenant's current description of a module; empty changes if there are none. */
function descriptionOf(name: string, overrides: readonly Override[], { library }: Saving): JsonObject {
  const found = overrides.find((override) => override.name === name && !override.deleted)
  if (found !== undefined) return found.description
  return library.vendor(name) === undefined ? refuse(404, 'NOT_FOUND', text('model.unknown')) : { name }
}

const fieldsOf = ({ fields }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject)

async function store(
  description: Json,
  base: number | undefined,
  overrides: readonly Override[],
  saving: Saving,
): Promise<number> {
  const read = isObject(description) ? description : {}
  const name = typeof read.name === 'string' ? read.name : ''
  const found = overrides.find((override) => override.name === name)
  const vendor = vendorOf(name, found, saving)
  if (vendor === undefined) refuseTooManyModules(name, overrides)
  const model = await saving.library.within(saving.trx, saving.caller.tenantId)
  const { modules } = model
  const before = found?.deleted === true ? undefined : found?.description
  const finalDescription = asWritten(read, { vendor, before, merged: modules.get(name) })
  const given = vendor === undefined ? withParent(finalDescription, before, treeWords()) : finalDescription
  const refuseIn = (problems: readonly ModuleProblem[]) =>
    refuseProblems(problems, (at) => placeWords(at, given, modules.get(name)))
  refuseIn(vendor === undefined ? tooManyProblems(given) : tooManyOwnProblems(vendor, given))
  const names = await namesFor(found, overrides, saving)
  refuseIn([
    ...problemsOf(isObject(description) ? given : description, vendor, namesOf(found)),
    ...externalNameProblems(given, names),
  ])
  const isOwn = (one: string) => vendor === undefined || !vendor.fields.some((field) => field.name === one)
  refuseIn([
    ...rowProblems(given, found?.description),
    ...besideProblems(given, found?.description, isOwn),
    ...searchProblems(given, found?.description, isOwn),
    ...changedFieldProblems(given, before),
    ...(vendor === undefined ? ownBehaviourProblems(given, found?.description) : []),
  ])
  const allModules = withGiven(withComing(modules, overrides, saving), given, vendor)
  refuseIn(rollupProblems(given, found?.description, allModules))
  refuseIn(recordProblems(given, found?.description, { vendor, allModules, was: modules.get(name) }))
  refuseStale(found, base, saving)
  if (saving.keepsSame && found?.deleted === false && sameJson(found.description, given)) return found.version
  await refuseConverting(name, given, found?.description, saving)
  await refuseHeldValues(name, given, found?.description, saving, modules.get(name))
  await refuseWaiting(name, given, before, saving)
  await refuseUsedOptions(given, found?.description, { ...model, modules: allModules }, saving)
  const kinds = await kindChanges(name, given, saving, modules.get(name))
  refuseUnstored(name, given, vendor)
  if (vendor !== undefined)
    return next(
      { name, version: 0, kind: 'difference', description: given, deleted: false },
      overrides,
      saving,
      kinds,
    )
  if (found === undefined || found.deleted) await grantOwnModule(name, saving)
  await placeInMenu(given as unknown as ModuleDescription, saving)
  await openPool(given as unknown as ModuleDescription, before as ModuleDescription | undefined, saving)
  await openTree(given, before, saving)
  return next({ name, version: 0, kind: 'own', description: given, deleted: false }, overrides, saving, kinds)
}

/** 422 for an option that is gone while rules, approvals or pages still ask for it: they would never hold again, and nobody would be told. */
async function refuseUsedOptions(
  given: JsonObject,
  before: JsonObject | undefined,
  model: TenantModel,
  { trx, caller, pages }: Saving,
): Promise<void> {
  const module = model.modules.get(String(given.name))
  for (const { field: name, column, value, label } of lostOptions(given, before)) {
    const field = module?.fields.find((one) => one.name === name)
    if (module === undefined || field === undefined || column !== undefined) continue
    const uses = await valueUses(module, field, value, { trx, caller, model }, pages)
    if (uses.length === 0) continue
    const sentence = text('model.option-named', { label, uses: namedUses(uses) })
    refuse(422, 'REFERENCED', sentence, { fields: { options: sentence } })
  }
}

/** Comes first: a package may bring a hundred more. */
function refuseTooManyModules(name: string, overrides: readonly Override[]): void {
  const others = overrides.filter(
    (override) => override.kind === 'own' && !override.deleted && override.name !== name,
  )
  if (others.length >= MAX_OWN_MODULES)
    refuse(422, 'BATCH_TOO_LARGE', text('model.too-many-modules', { most: MAX_OWN_MODULES }))
}

/** The name of its records, and the fields that its rules read. */
function recordProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  {
    vendor,
    allModules,
    was,
  }: {
    readonly vendor: ModuleDescription | undefined
    readonly allModules: ReadonlyMap<string, MergedModule>
    readonly was: MergedModule | undefined
  },
): readonly ModuleProblem[] {
  const module = allModules.get(String(given.name))
  const livesByIt = vendor === undefined || vendor.store === 'record'
  return [
    ...(vendor === undefined ? titleProblems(given, before) : []),
    ...(livesByIt ? recordNameProblems(given, before, vendor as unknown as JsonObject | undefined) : []),
    ...(module === undefined ? [] : ruleNameProblems(given, before, module, was)),
  ]
}

/** All modules, including the new version of this one, because its rollups may count its own records. */
function withGiven(
  modules: ReadonlyMap<string, MergedModule>,
  given: JsonObject,
  vendor: ModuleDescription | undefined,
): ReadonlyMap<string, MergedModule> {
  const fields = fieldsOf(given) as unknown as readonly Field[]
  const description = { ...(given as unknown as ModuleDescription), fields }
  const merged = vendor === undefined ? asMerged(description, 'tenant') : mergeModule(vendor, description)
  return new Map([...modules, [merged.name, merged]])
}

/** The modules as they will be: what is saved together with this one counts, if it can be read. */
function withComing(
  modules: ReadonlyMap<string, MergedModule>,
  overrides: readonly Override[],
  saving: Saving,
): ReadonlyMap<string, MergedModule> {
  const all = new Map(modules)
  for (const [name, description] of saving.coming ?? []) {
    const found = overrides.find((override) => override.name === name)
    const vendor = vendorOf(name, found, saving)
    if (problemsOf(description, vendor, namesOf(found)).length === 0)
      for (const [one, merged] of withGiven(all, description, vendor)) all.set(one, merged)
  }
  return all
}

function refuseUnstored(name: string, given: JsonObject, vendor: ModuleDescription | undefined): void {
  if (vendor === undefined || keepsOwnFields({ ...vendor, name })) return
  const isOwn = (field: JsonObject) => !vendor.fields.some((one) => one.name === field.name)
  if (fieldsOf(given).some(isOwn)) refuse(422, 'REFERENCED', text('model.no-own-fields'))
}

/** The product's module with that name; none if the tenant had its own before the product introduced it. */
const vendorOf = (
  name: string,
  found: Override | undefined,
  { library }: Pick<Saving, 'library'>,
): ModuleDescription | undefined => (found?.kind === 'own' ? undefined : library.vendor(name))

/** The tenant's existing fields. */
const namesOf = (found: Override | undefined): ReadonlySet<string> =>
  new Set(fieldsOf(found?.description ?? {}).map(({ name }) => String(name)))

function problemsOf(
  description: Json,
  vendor: ModuleDescription | undefined,
  keptNames: ReadonlySet<string>,
): readonly ModuleProblem[] {
  if (vendor !== undefined && isObject(description)) return differenceProblems(vendor, description, keptNames)
  const checked = checkModule(description, { kept: keptNames })
  return checked.ok ? [] : checked.problems
}

/** Names that the description may use: existing ones, and those it used before, which may no longer exist. */
async function namesFor(
  before: Override | undefined,
  overrides: readonly Override[],
  { trx, caller, library, coming = new Map() }: Saving,
): Promise<ModuleNames> {
  const { modules = [], ...names } = library.names()
  const named = externalNames(before?.description ?? {})
  const namedAs = (kind: string) => named.filter((one) => one.kind === kind).map(({ name }) => name)
  const ownNames = overrides.filter(({ deleted }) => !deleted).map(({ name }) => name)
  return {
    ...names,
    modules: new Set([...modules, ...ownNames, ...coming.keys(), ...namedAs('modules')]),
    dictionaries: new Set([...(await dictionariesOf(trx, caller.tenantId)), ...namedAs('dictionaries')]),
  }
}

/** @param placeOf  where a problem is, for people; '' if only its pointer says so */
function refuseProblems(problems: readonly ModuleProblem[], placeOf: (at: string) => string): void {
  const shownProblems = problems.map(shownProblem)
  const places = problems.map(({ at }) => placeOf(at) || at)
  const [first] = shownProblems
  if (first === undefined) return
  const sentence = text('model.invalid', { n: shownProblems.length, first: `${places[0]} ${first.message}` })
  refuse(400, 'VALIDATION', sentence, { data: { problems: shownProblems, places } })
}

/** The field that a pointer leads to, by its label; '' for a pointer beside the fields. */
function placeWords(at: string, given: JsonObject, module: MergedModule | undefined): string {
  const [, list, index] = at.split('/')
  const field = list === 'fields' ? objectsIn(given.fields)[Number(index)] : undefined
  if (field === undefined) return ''
  const known = module?.fields.find(({ name }) => name === field.name)
  const label = typeof field.label === 'string' ? field.label : labelText(known?.label ?? '')
  return text('model.place', { field: label === '' ? String(field.name) : label, at })
}

function refuseStale(found: Override | undefined, base: number | undefined, { library }: Saving): void {
  const isNew = base === 0 && found?.deleted === true
  if (base === undefined || isNew || base === (found?.version ?? 0)) return
  const vendor = found === undefined ? undefined : library.vendor(found.name)
  refuse(409, 'VERSION_CONFLICT', text('model.conflict'), {
    data: {
      version: found?.version ?? 0,
      current: (found?.description ?? (vendor === undefined ? null : asMerged(vendor, 'vendor'))) as Json,
    },
  })
}

async function next(
  override: Override,
  overrides: readonly Override[],
  saving: Saving,
  kinds: readonly KindChange[] = [],
): Promise<number> {
  const { trx, caller, library } = saving
  const before = overrides.find((one) => one.name === override.name)
  const version = (before?.version ?? 0) + 1
  await addOverride(trx, caller, { ...override, version })
  const { modules } = await library.within(trx, caller.tenantId)
  const open: string[] = []
  for (const kind of kinds) {
    await convertViews(kind, saving)
    if (kind.total > 0 && (await convert(kind, saving))) open.push(kind.field)
  }
  await mirrorFields(
    trx,
    caller,
    modules.get(override.name) ?? { name: override.name, origin: 'tenant', fields: [] },
    new Set(open),
  )
  const was = before?.deleted === true ? undefined : before?.description.title
  const module = modules.get(override.name)
  if (override.kind === 'own' && module !== undefined && was !== undefined && was !== module.title)
    await retitle(module, saving)
  await library.changed(trx, caller.tenantId)
  return version
}
