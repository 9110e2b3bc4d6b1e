import type { KindName } from './description.ts'
import { rightName } from './field-rights.ts'
import { extName } from './form-fields.ts'
import type { MergedModule } from './merge-module.ts'
import { readNames } from './named-fields.ts'
import { nameOfOwn } from './own-on-pages.ts'

/** By field that a rule works out, the fields its value follows from, directly or through others; all named as roles name them. */
type Sources = ReadonlyMap<string, ReadonlySet<string>>

const known = new WeakMap<MergedModule, Sources>()

/** What the formulas and worked values of a module follow from: whoever may not see one of these may not see the value either. */
export function sourcesOf(module: MergedModule): Sources {
  const found = known.get(module) ?? readSources(module)
  known.set(module, found)
  return found
}

function readSources(module: MergedModule): Sources {
  const direct = new Map(module.fields.map((field) => [rightName(module, field), readBy(module, field)]))
  const all = (name: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const read of direct.get(name) ?? []) {
      if (found.has(read)) continue
      found.add(read)
      all(read, found)
    }
    return found
  }
  const sources = [...direct.keys()].map((name) => [name, all(name)] as const)
  return new Map(sources.filter(([, read]) => read.size > 0))
}

/** The fields that the rule of a field reads. What names records is seen by everybody who sees them. */
function readBy(module: MergedModule, field: MergedModule['fields'][number]): readonly string[] {
  const rule = field.worked ?? field.formula
  if (rule === undefined || (module.origin === 'tenant' && field.name === module.title)) return []
  return readNames(rule, module)
    .flatMap(fieldsToldBy)
    .map((name) => {
      const own = module.origin === 'vendor' ? nameOfOwn(name) : null
      return own === null ? name : extName(own)
    })
}

/**
 * Fields that a key of a record may tell of: itself, and the field beside whose value it stands: `region_name`, `our_signer_name`, `member_names`,
 * `industry_path`.
 */
export function fieldsToldBy(key: string): readonly string[] {
  const stem = /^(.+)_(?:names?|path)$/.exec(key)?.[1]
  return stem === undefined ? [key] : [key, stem, `${stem}_id`, `${stem}_ids`]
}

const tellers = new WeakMap<MergedModule, Sources>()

/**
 * By money that a rule of an own module adds up from lines, the fields that tell of it: these lines, and the rates that it is worked out with. Modules of
 * the product name theirs (`TELLING` of the server).
 */
export function tellersOf(module: MergedModule): Sources {
  const found = tellers.get(module) ?? readTellers(module)
  tellers.set(module, found)
  return found
}

function readTellers(module: MergedModule): Sources {
  if (module.origin !== 'tenant') return new Map()
  const namesOf = (kind: KindName) => module.fields.flatMap((it) => (it.kind === kind ? [it.name] : []))
  const [sums, lines, rates] = [namesOf('money'), namesOf('lines'), namesOf('percent')]
  const told = sums.flatMap((sum): readonly [string, ReadonlySet<string>][] => {
    const sources = sourcesOf(module).get(sum)
    const added = lines.filter((name) => sources?.has(name))
    return added.length === 0
      ? []
      : [[sum, new Set([...added, ...rates.filter((name) => sources?.has(name))])]]
  })
  return new Map(told)
}

/** Those of a module's computed fields that follow from one of these. */
export const followingFrom = (module: MergedModule, names: ReadonlySet<string>): readonly string[] =>
  [...sourcesOf(module)].flatMap(([name, sources]) =>
    [...sources].some((source) => names.has(source)) ? [name] : [],
  )

const pooled = new WeakMap<MergedModule, ReadonlySet<string>>()

/** The fields of a module's own description that pools mask, and what follows from them. */
export function maskedInPools(module: MergedModule): ReadonlySet<string> {
  const found = pooled.get(module) ?? readMasked(module)
  pooled.set(module, found)
  return found
}

function readMasked(module: MergedModule): ReadonlySet<string> {
  const masked = module.fields.flatMap((field) => (field.mask === 'pool' ? [rightName(module, field)] : []))
  const telling = masked.flatMap((name) => [...(tellersOf(module).get(name) ?? [])])
  const all = new Set([...masked, ...telling])
  return new Set([...all, ...followingFrom(module, all)])
}
