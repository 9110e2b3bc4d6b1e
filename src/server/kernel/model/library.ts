import type { PageProblem } from '../../../contract/pages.ts'
import { checkModule } from '../../../model/check-module.ts'
import { FILES } from '../../../model/derived/held-files.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import type { ModuleNames } from '../../../model/external-names.ts'
import {
  asMerged,
  asRecords,
  type MergedModule,
  type ModuleDifference,
  mergeModule,
} from '../../../model/merge-module.ts'
import type { Database, Trx } from '../db/database.ts'
import type { CountCacheRequest } from '../metrics/metrics.ts'
import { placeOf } from '../pages/json-place.ts'
import { createLastGood, type LastGood, type Parts } from '../pages/last-good.ts'
import { readAddresses } from '../pages/load.ts'
import { PERMISSION_MODULES } from '../pages/names.ts'
import { namesIn, readJsonFolder, unreadable } from '../pages/read-files.ts'
import { watchFolder } from '../pages/watch.ts'
import { shownProblem } from '../text/author.ts'
import { text } from '../text/text.ts'
import { changedModules, replaceModel } from './cached-by-model.ts'
import { type Conversion, openConversions } from './conversions.ts'
import { type Override, readOverrides } from './overrides.ts'
import { type Mirrored, readMirrored } from './own-index.ts'

/** All modules as one tenant has them. */
export interface TenantModel {
  readonly modules: ReadonlyMap<string, MergedModule>
  /** Versions of the tenant's changes, by module; absent: unchanged. */
  readonly versions: ReadonlyMap<string, number>
  /** The progress of mirrored fields, by `module/field`. */
  readonly mirrored: ReadonlyMap<string, Mirrored>
}

/** The product's modules from `schemas/modules`, combined with the tenants' changes. */
export interface ModuleLibrary {
  vendor(name: string): ModuleDescription | undefined
  /** The product's modules that are defined by descriptions alone. */
  records(): readonly string[]
  /** The product's modules alone, as for a tenant without changes. */
  shipped(): TenantModel
  /** Names that descriptions may use, except dictionaries of a tenant. */
  names(): ModuleNames
  /** The errors in the current files; the last valid versions are in use. */
  problems(): readonly PageProblem[]
  /** Reads inside the caller's transaction; cached until somebody changes it. */
  of(trx: Trx, tenantId: string): Promise<TenantModel>
  /** What this server has cached for a tenant, which may be outdated; nothing if it was not read yet. */
  known(tenantId: string): TenantModel | undefined
  /** Reads from the transaction without caching: its changes may yet be rolled back. */
  within(trx: Trx, tenantId: string): Promise<TenantModel>
  /** Notifies every server, when the transaction commits, that the tenant's modules have changed. */
  changed(trx: Trx, tenantId: string): Promise<void>
  close(): Promise<void>
}

/** Its messages contain the id of a tenant whose model has changed. */
export const MODULE_CHANNEL = 'crm_module'
/** Maximum number of tenants whose modules are cached. */
const MAX_CACHED = 500

export interface LibraryParts {
  readonly schemasDir: string
  readonly database: Database
  /** Dictionaries that modules may name; without them, names are not checked. */
  readonly dictionaries?: () => Promise<ReadonlySet<string>>
  readonly looked?: CountCacheRequest | undefined
  readonly onError: (error: Error) => void
}

/** Reads the product's modules and keeps watching them. */
export async function createModuleLibrary({
  schemasDir,
  database,
  dictionaries,
  looked,
  onError,
}: LibraryParts): Promise<ModuleLibrary> {
  const good = new Map<string, ModuleDescription>()
  const cached = new Map<string, TenantModel>()
  /** The models read last, by the tenants' changes: equal changes share a model, and everything computed from it. */
  const last = new Map<string, { readonly fingerprint: readonly string[]; readonly model: TenantModel }>()
  /** Counts invalidations: a model read meanwhile may be outdated. */
  let changes = 0
  const forget = (tenantId?: string): void => {
    changes += 1
    if (tenantId === undefined) {
      cached.clear()
      last.clear()
    } else cached.delete(tenantId)
  }
  /** Transactions that have changed modules: their models are private until they commit. */
  const writing = new WeakSet<Trx>()
  const stored = createLastGood(database, 'modules')
  const texts = new Map<string, Parts>()
  let names = await readNames(schemasDir)
  const load = async (): Promise<readonly PageProblem[]> => {
    names = await readNames(schemasDir)
    const known = await dictionaries?.()
    return readModules(
      schemasDir,
      { good, texts },
      known === undefined ? names : { ...names, dictionaries: known },
    )
  }
  let problems = await load()
  if (problems.length > 0) await restoreModules(stored, problems, { good, texts })
  await stored.keep(texts)
  const stopWatching = watchFolder(`${schemasDir}/modules`, async () => {
    try {
      problems = await load()
      forget()
      await stored.keep(texts)
    } catch (error) {
      onError(error as Error)
    }
  })
  const stopListening = await database.listen(
    MODULE_CHANNEL,
    (tenantId) => forget(tenantId),
    () => forget(),
  )
  const read = async (trx: Trx, tenantId: string): Promise<TenantModel> => {
    const overrides = await readOverrides(trx, tenantId)
    const mirrored = await readMirrored(trx, tenantId)
    const converting = (await openConversions(trx, tenantId)).map(({ module, field }) => ({ module, field }))
    const fingerprint = [...overrides.map(textOf), JSON.stringify([[...mirrored], converting])]
    const before = last.get(tenantId)
    if (before !== undefined && isSameList(before.fingerprint, fingerprint)) return before.model
    const model = withSame(modelOf(good, overrides, mirrored, converting), before?.model)
    if (before !== undefined) replaceModel(model, before.model)
    if (last.size >= MAX_CACHED) last.clear()
    last.set(tenantId, { fingerprint, model })
    return model
  }
  return {
    vendor: (name) => good.get(name),
    records: () => [...good.values()].filter(({ store }) => store === 'record').map(({ name }) => name),
    shipped: () => modelOf(good, [], new Map()),
    names: () => names,
    problems: () => problems,
    async of(trx, tenantId) {
      if (writing.has(trx)) return read(trx, tenantId)
      const known = cached.get(tenantId)
      looked?.('model', known !== undefined)
      if (known !== undefined) return known
      const before = changes
      const model = await read(trx, tenantId)
      if (before !== changes) return model
      if (cached.size >= MAX_CACHED) cached.clear()
      cached.set(tenantId, model)
      return model
    },
    known: (tenantId) => cached.get(tenantId),
    within: (trx, tenantId) => read(trx, tenantId),
    async changed(trx, tenantId) {
      writing.add(trx)
      forget(tenantId)
      await database.notify(trx, MODULE_CHANNEL, tenantId)
    },
    async close() {
      await stopWatching()
      await stopListening()
    },
  }
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, i) => text === other[i])

const overrideTexts = new WeakMap<Override, string>()

function textOf(override: Override): string {
  const written = overrideTexts.get(override) ?? JSON.stringify(override)
  overrideTexts.set(override, written)
  return written
}

const shipped = new WeakMap<ModuleDescription, MergedModule>()

/** An unchanged module is shared by all tenants. */
function asShipped(module: ModuleDescription): MergedModule {
  const merged = shipped.get(module) ?? livingBy(module, asMerged(module, 'vendor'))
  shipped.set(module, merged)
  return merged
}

const ownModules = new WeakMap<Override, MergedModule>()

/** A module of the tenant's own: the same object for the same row. */
function asOwn(override: Override): MergedModule {
  const { description } = override
  const merged =
    ownModules.get(override) ?? withFiles(asMerged(description as unknown as ModuleDescription, 'tenant'))
  ownModules.set(override, merged)
  return merged
}

/** A module of the product as its users get it: backed by its table, or by its description alone. */
const livingBy = ({ store }: ModuleDescription, merged: MergedModule): MergedModule =>
  store === 'record' ? withFiles(asRecords(merged)) : merged

function withFiles(module: MergedModule): MergedModule {
  if (!module.behaviours.includes('files') || module.fields.some(({ name }) => name === FILES)) return module
  const field = { name: FILES, kind: 'files', label: text('derived.files'), origin: 'tenant' } as const
  return { ...module, fields: [...module.fields, field] }
}

/** The product's modules with a tenant's changes, followed by the tenant's own. */
function modelOf(
  vendor: ReadonlyMap<string, ModuleDescription>,
  overrides: readonly Override[],
  mirrored: TenantModel['mirrored'],
  converting: readonly Pick<Conversion, 'module' | 'field'>[] = [],
): TenantModel {
  const differences = new Map(
    overrides.filter((override) => !override.deleted).map((override) => [override.name, override]),
  )
  const merged = [...vendor].map(([name, module]): [string, MergedModule] => {
    const over = differences.get(name)
    const isDifference = over?.kind === 'difference'
    return [
      name,
      isDifference
        ? livingBy(module, mergeModule(module, over.description as unknown as ModuleDifference))
        : asShipped(module),
    ]
  })
  // A tenant that had a module of that name before the product did keeps its own.
  const ownDifferences = [...differences.values()]
    .filter(({ kind, name }) => kind === 'own' && (vendor.get(name)?.store ?? 'record') === 'record')
    .map((override): [string, MergedModule] => [override.name, asOwn(override)])
  return {
    modules: new Map(
      [...merged, ...ownDifferences].map(([name, module]) => [name, withoutConverting(module, converting)]),
    ),
    versions: new Map(overrides.map(({ name, version }) => [name, version])),
    mirrored,
  }
}

/**
 * The model with the objects of an earlier model for its unchanged modules: what is cached for these stays valid. A module whose mirrors have
 * progressed is a changed one: its filters are different.
 */
function withSame(model: TenantModel, earlier: TenantModel | undefined): TenantModel {
  if (earlier === undefined) return model
  const changed = changedModules(earlier, model)
  const known = (name: string, module: MergedModule): MergedModule =>
    changed.has(name) ? module : (earlier.modules.get(name) ?? module)
  return {
    ...model,
    modules: new Map([...model.modules].map(([name, module]) => [name, known(name, module)])),
  }
}

/** A field that is being converted is meanwhile not part of the module: its values are preserved, like those of a removed field. */
function withoutConverting(
  module: MergedModule,
  converting: readonly Pick<Conversion, 'module' | 'field'>[],
): MergedModule {
  const names = converting.filter((one) => one.module === module.name).map(({ field }) => field)
  if (names.length === 0) return module
  return { ...module, fields: module.fields.filter(({ name }) => !names.includes(name)) }
}

/** The last valid modules, and their files. */
interface LastValid {
  readonly good: Map<string, ModuleDescription>
  readonly texts: Map<string, Parts>
}

/** Names that descriptions may use: modules and pages that have a file, valid or not, and modules with permissions. */
async function readNames(schemasDir: string): Promise<ModuleNames> {
  const [modules, routes] = await Promise.all([namesIn(schemasDir, 'modules'), readAddresses(schemasDir)])
  return { modules: new Set(modules), routes, permissions: PERMISSION_MODULES }
}

/** The stored versions of modules whose files are invalid at the start. */
async function restoreModules(
  stored: LastGood,
  problems: readonly PageProblem[],
  { good, texts }: LastValid,
): Promise<void> {
  const broken = new Set(problems.map(({ file }) => file))
  for (const [name, parts] of await stored.read()) {
    const [[file, text] = ['', '']] = parts
    const checked = broken.has(file) ? checkModule(JSON.parse(text)) : null
    if (!checked?.ok) continue
    good.set(name, checked.module)
    texts.set(name, parts)
  }
}

/** Reads the files into `good`, and their texts into `texts`: for an invalid file the last valid version stays, a deleted one is removed. */
async function readModules(
  schemasDir: string,
  { good, texts }: LastValid,
  names: ModuleNames,
): Promise<readonly PageProblem[]> {
  const files = await readJsonFolder(schemasDir, 'modules')
  for (const name of good.keys()) {
    if (files.has(name)) continue
    good.delete(name)
    texts.delete(name)
  }
  return [...files].flatMap(([name, read]): readonly PageProblem[] => {
    const { file, content, text = '' } = read
    if (content === undefined) return unreadable(read)
    const checked = checkModule(content, names)
    if (!checked.ok)
      return checked.problems.map((problem) => ({
        ...shownProblem(problem),
        file,
        ...placeOf(text, problem.at),
      }))
    good.set(name, checked.module)
    texts.set(name, new Map([[file, text]]))
    return []
  })
}
