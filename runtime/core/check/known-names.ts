import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { iconNamed } from '../page/icon-names.ts'
import { nameHint } from '../page/nearest-type.ts'
import type { PageCheck } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'

/** Names defined outside a page that it may use; those that are absent are not checked. */
export interface KnownNames {
  readonly dictionaries?: ReadonlySet<string>
  /** `module:action` */
  readonly permissions?: ReadonlySet<string>
  /** Addresses that open a page. */
  readonly routes?: ReadonlySet<string>
  /** Names of icons, without `Outline`. */
  readonly icons?: ReadonlySet<string>
  /** Properties of `user`. */
  readonly user?: ReadonlySet<string>
}

/** Names that are checked wherever they occur. */
type Looked = Exclude<keyof KnownNames, 'user'>

const MAX_DEPTH = 40
const WHAT: Readonly<Record<Looked, Phrase>> = {
  dictionaries: phrase('dictionaries'),
  icons: phrase('icons'),
  permissions: phrase('permissions'),
  routes: phrase('routes'),
}
const DICT_KEYS: readonly string[] = ['dict', 'labelDict']
const ICON_KEYS: readonly string[] = ['icon', 'buttonIcon', 'appendButtonIcon']
const ROUTE_KEYS: readonly string[] = ['url', 'path']
/** Actions whose address is always one of our pages, or an external one. */
const OPENING: readonly string[] = ['navigate', 'redirect', 'relaunch', 'switchTab']
const DICT_FILTER = /\|\s*dict:([\w.-]+)/g
/** Permissions on a tenant's own modules, and the placeholder that the server replaces by them. */
const OWN_RIGHT = /^(?:m\.|own:)/
/** Pages of a tenant's own modules. */
const OWN_PAGE = /^\/pages\/m\//

/** Dictionaries, permissions and routes that one of our pages names but that do not exist. A plain VForm document names none of ours. */
export const checkKnownNames =
  (known: KnownNames): PageCheck =>
  (page, placing) => {
    if (!placing.ours) return []
    const nodes = [...page.nodes.values()].flatMap((node) =>
      faultsIn(node.widget.options, (below) => placing.at(node, `/options${below}`), known),
    )
    const { permission, ...settings } = page.settings
    const config = (below: string): string => `/formConfig${below}`
    return [
      ...nodes,
      ...permissionFaults(permission, known),
      ...faultsIn(settings, (below) => config(`/page${below}`), known),
      ...faultsIn(page.config.dataSources, (below) => config(`/dataSources${below}`), known),
    ]
  }

type At = (below: string) => string

function faultsIn(value: unknown, at: At, known: KnownNames, depth = 0): readonly Problem[] {
  if (typeof value === 'string') return filterFaults(value, at(''), known)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  if (isObject(value)) {
    const right = requestedRight(value)
    if (right !== null) return unknown('permissions', right, at('/in/0'), known.permissions, isOwnRight)
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const below: At = (rest) => at(joinPointer('', key) + rest)
    return [
      ...named(key, item, { at: below(''), known, of: value }),
      ...faultsIn(item, below, known, depth + 1),
    ]
  })
}

function named(
  key: string,
  value: unknown,
  { at, known, of }: { readonly at: string; readonly known: KnownNames; readonly of: object },
): readonly Problem[] {
  if (typeof value !== 'string' || value === '') return []
  if (ICON_KEYS.includes(key) && !('do' in of)) return unknownIcon(value, at, known.icons)
  if (DICT_KEYS.includes(key) && !value.includes('{{'))
    return unknown('dictionaries', value, at, known.dictionaries)
  if (!ROUTE_KEYS.includes(key) || !(value.startsWith('/pages/') || isOpened(of, value))) return []
  const [path = ''] = value.split(/[?#]/)
  return path.includes('{{') ? [] : unknown('routes', path, at, known.routes, (one) => OWN_PAGE.test(one))
}

/** An address opened by an action that leads nowhere: `pages/x` is a misspelt `/pages/x`. */
const isOpened = (of: object, address: unknown): boolean =>
  'do' in of &&
  OPENING.includes(String(of.do)) &&
  typeof address === 'string' &&
  !/^(?:\/$|[a-z]+:|\{\{)/.test(address)

/** An unknown icon is advice: another one is drawn in its place. `el-icon-…` of VForm draws none. */
function unknownIcon(name: string, at: string, icons: ReadonlySet<string> | undefined): readonly Problem[] {
  const isIcon = (one: string): one is string => icons?.has(one) === true
  if (icons === undefined || name.includes('{{') || name.startsWith('el-')) return []
  if (iconNamed(name, isIcon) !== undefined) return []
  const written = [...icons].map((one) => (one.endsWith('Fill') ? one : `${one}Outline`))
  return [problem('WORD_UNKNOWN', at, { what: WHAT.icons, name }, 'warning', nameHint(name, written))]
}

const filterFaults = (text: string, at: string, { dictionaries }: KnownNames): readonly Problem[] =>
  text.includes('{{')
    ? [...text.matchAll(DICT_FILTER)].flatMap(([, name = '']) =>
        unknown('dictionaries', name, at, dictionaries),
      )
    : []

/** The permission tested by `{ "in": ["contract:edit", { "var": "user.permissions" }] }`. */
function requestedRight({ in: rightName }: JsonObject): string | null {
  if (!Array.isArray(rightName)) return null
  const [right, list] = rightName
  return typeof right === 'string' && isObject(list) && list.var === 'user.permissions' ? right : null
}

function permissionFaults(setting: Json | undefined, { permissions }: KnownNames): readonly Problem[] {
  const at = '/formConfig/page/permission'
  if (typeof setting === 'string' && setting !== '')
    return unknown('permissions', setting, at, permissions, isOwnRight)
  if (!Array.isArray(setting)) return []
  return setting.flatMap((entry, i) =>
    isObject(entry) && typeof entry.permission === 'string'
      ? unknown('permissions', entry.permission, `${at}/${i}/permission`, permissions, isOwnRight)
      : [],
  )
}

const isOwnRight = (name: string): boolean => OWN_RIGHT.test(name)

function unknown(
  kind: Looked,
  name: string,
  at: string,
  known: ReadonlySet<string> | undefined,
  isElsewhere: (name: string) => boolean = () => false,
): readonly Problem[] {
  if (known === undefined || known.has(name) || isElsewhere(name)) return []
  const module = /^([\w.]+):\*$/.exec(name)?.[1]
  if (module !== undefined && [...known].some((one) => one.startsWith(`${module}:`))) return []
  return [problem('WORD_UNKNOWN', at, { what: WHAT[kind], name }, 'error', nameHint(name, [...known]))]
}
