import type { MergedModule } from '../../../model/merge-module.ts'
import type { TenantModel } from './library.ts'

/** Computes something from all modules, which JSON can represent. */
type Compute = (model: TenantModel, of: string) => unknown

/** What a result was computed from. */
interface Reads {
  /** Modules that were read by name, whether they exist or not. */
  readonly names: Set<string>
  /** What was computed from all modules, and the results. */
  readonly facts: { readonly compute: Compute; readonly of: string; readonly result: string }[]
  /** All modules were read. */
  isAll: boolean
}

interface Watched {
  readonly model: TenantModel
  readonly looked: Reads
}

const watched = new WeakMap<TenantModel, Watched>()

/** The successive models of a tenant: at which of them each module last changed. */
interface Line {
  readonly changedAt: Map<string, number>
}

/** The position of a model among those of its tenant. */
interface Place {
  readonly line: Line
  readonly at: number
}

const places = new WeakMap<TenantModel, Place>()

function placeOf(model: TenantModel): Place {
  const place = places.get(model) ?? { line: { changedAt: new Map() }, at: 0 }
  places.set(model, place)
  return place
}

/** Records that a model replaces an earlier one of the same tenant: results computed from unchanged modules are reused. */
export function replaceModel(model: TenantModel, earlier: TenantModel): void {
  const { line, at } = placeOf(earlier)
  for (const name of changedModules(earlier, model)) line.changedAt.set(name, at + 1)
  places.set(model, { line, at: at + 1 })
}

/** Names of the modules that differ between two models. */
export function changedModules(one: TenantModel, other: TenantModel): ReadonlySet<string> {
  const names = new Set([...one.modules.keys(), ...other.modules.keys()])
  const moved = new Set<string>()
  for (const key of [...one.mirrored.keys(), ...other.mirrored.keys()])
    if (one.mirrored.get(key) !== other.mirrored.get(key)) moved.add(key.slice(0, key.indexOf('/')))
  return new Set(
    [...names].filter(
      (name) => moved.has(name) || !isSameModule(one.modules.get(name), other.modules.get(name)),
    ),
  )
}

/** Whether two descriptions of a module are equal. */
const isSameModule = (one: MergedModule | undefined, other: MergedModule | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other))

/** A result, what it was computed from, and the position of the model. */
interface Made<It> {
  readonly it: It
  readonly looked: Reads
  readonly at: number
}

/**
 * Computes something from a tenant's modules once: the result is reused for the same model, and for later models as long as everything that
 * the computation read is unchanged.
 */
export function cachedByModel<Of extends object, It>(
  make: (of: Of, model: TenantModel) => It,
): (of: Of, model: TenantModel) => It {
  const ofModels = new WeakMap<TenantModel, WeakMap<Of, Made<It>>>()
  const newest = new WeakMap<Line, WeakMap<Of, Made<It>>>()
  const makeNow = (of: Of, model: TenantModel, at: number): Made<It> => {
    const looked: Reads = { names: new Set(), facts: [], isAll: false }
    return { it: make(of, watch(model, looked)), looked, at }
  }
  return (of, model) => {
    const ofModel = ofModels.get(model) ?? new WeakMap()
    ofModels.set(model, ofModel)
    const known = ofModel.get(of)
    if (known !== undefined) return known.it
    const { line, at } = placeOf(model)
    const last = newest.get(line) ?? new WeakMap()
    newest.set(line, last)
    const before = last.get(of)
    const current =
      before !== undefined && isCurrent(before, model, { line, at }) ? before : makeNow(of, model, at)
    ofModel.set(of, current)
    if (before === undefined || before.at <= at) last.set(of, { ...current, at })
    return current.it
  }
}

/** Whether everything that was read is the same in a later model. */
function isCurrent({ looked, at }: Made<unknown>, model: TenantModel, now: Place): boolean {
  const { names, facts, isAll } = looked
  if (now.at < at || (isAll && now.at > at)) return false
  if ([...names].some((name) => (now.line.changedAt.get(name) ?? 0) > at)) return false
  return facts.every(({ compute, of, result }) => JSON.stringify(compute(model, of)) === result)
}

/** Something small computed from all modules: results that depend on it are reused as long as it is the same. */
export function summaryOfModules<Said>(
  compute: (model: TenantModel, of: string) => Said,
): (model: TenantModel, of?: string) => Said {
  return (model, of = '') => {
    const entry = watched.get(model)
    if (entry === undefined) return compute(model, of)
    const value = compute(entry.model, of)
    entry.looked.facts.push({ compute, of, result: JSON.stringify(value) })
    return value
  }
}

function watch(model: TenantModel, looked: Reads): TenantModel {
  const seen = { ...model, modules: new WatchedModules(model.modules, looked) }
  watched.set(seen, { model, looked })
  return seen
}

/** A map of modules that records which of them are read. */
class WatchedModules extends Map<string, MergedModule> {
  readonly #looked: Reads
  constructor(modules: ReadonlyMap<string, MergedModule>, looked: Reads) {
    super(modules)
    this.#looked = looked
  }
  override get(name: string): MergedModule | undefined {
    this.#looked.names.add(name)
    return super.get(name)
  }
  override has(name: string): boolean {
    this.#looked.names.add(name)
    return super.has(name)
  }
  override get size(): number {
    this.#looked.isAll = true
    return super.size
  }
  override keys(): MapIterator<string> {
    this.#looked.isAll = true
    return super.keys()
  }
  override values(): MapIterator<MergedModule> {
    this.#looked.isAll = true
    return super.values()
  }
  override entries(): MapIterator<[string, MergedModule]> {
    this.#looked.isAll = true
    return super.entries()
  }
  override [Symbol.iterator](): MapIterator<[string, MergedModule]> {
    return this.entries()
  }
  override forEach(each: (module: MergedModule, name: string, all: Map<string, MergedModule>) => void): void {
    this.#looked.isAll = true
    super.forEach(each)
  }
}
