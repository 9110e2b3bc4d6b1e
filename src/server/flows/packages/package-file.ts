import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { readJsonText } from '../../kernel/pages/read-files.ts'
import { checksumOf } from '../../kernel/text/canonical.ts'

/** The first key of a package, and its format version. */
const FORMAT = 'crm-package'
const VERSION = 1
/** A file of definitions of modules is a package without pages and menus. */
const DEFINITIONS = 'crm-modules'

/** Maximum size that is read. */
export const MAX_PACKAGE_BYTES = 5_000_000
const MAX_ITEMS = 100

/** One change in a package, in the form of a change set. */
export interface PackageItem {
  readonly kind: 'dict' | 'module' | 'page' | 'menu'
  readonly change: JsonObject
}

export interface Package {
  readonly title: string
  readonly items: readonly PackageItem[]
}

/** Why a file is not a package. */
export type PackageFault = 'unknown' | 'tampered' | 'too-big'

/** A package as its file: the same content gives the same bytes. */
export function printPackage({ title, items }: Package): string {
  const content = { title, items: items as unknown as Json }
  const file = { format: FORMAT, version: VERSION, checksum: checksumOf(content), ...content }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Reads a package, or a file of definitions; checks size and checksum first. */
export function readPackage(written: string): Package | PackageFault {
  if (written.length > MAX_PACKAGE_BYTES) return 'too-big'
  const given = parsed(written)
  if (!isObject(given) || given.version !== VERSION) return 'unknown'
  const { format, version: _, checksum, ...content } = given
  if (format !== FORMAT && format !== DEFINITIONS) return 'unknown'
  if (checksumOf(content) !== checksum) return 'tampered'
  const items = format === FORMAT ? content.items : definitionItems(content)
  if (!Array.isArray(items) || !items.every(isItem)) return 'unknown'
  if (items.length > MAX_ITEMS) return 'too-big'
  const title = typeof content.title === 'string' ? content.title.slice(0, 60) : ''
  return { title, items }
}

function definitionItems({ modules, dicts }: JsonObject): Json {
  const list = (given: Json | undefined): readonly Json[] => (Array.isArray(given) ? given : [])
  return [
    ...list(dicts).flatMap((dict): Json[] => {
      if (!isObject(dict)) return []
      const { key, ...rest } = dict
      return [{ kind: 'dict', change: { id: key ?? '', ...rest } }]
    }),
    ...list(modules).flatMap((one): Json[] =>
      isObject(one) ? [{ kind: 'module', change: { description: one.description ?? null } }] : [],
    ),
  ]
}

/** The properties of each kind of change. */
const NAMED: Readonly<Record<PackageItem['kind'], (change: JsonObject) => Json | undefined>> = {
  dict: ({ id, items }) => (Array.isArray(items) ? id : undefined),
  module: ({ description }) => (isObject(description) ? description.name : undefined),
  page: ({ path, document }) => (typeof document === 'string' ? path : undefined),
  menu: ({ path }) => path,
}

const PACKED = Object.keys(NAMED) as readonly PackageItem['kind'][]

/** The target of a change in a package: a key, a name, a path. */
export const nameOf = ({ kind, change }: PackageItem): string => String(NAMED[kind](change) ?? '')

function isItem(value: Json): value is Json & PackageItem {
  if (!isObject(value) || !isObject(value.change)) return false
  const kind = PACKED.find((known) => known === value.kind)
  const name = kind === undefined ? undefined : NAMED[kind](value.change)
  return typeof name === 'string' && name !== ''
}

function parsed(written: string): Json {
  return readJsonText(written, '').content ?? null
}
