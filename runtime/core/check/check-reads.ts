import { type Problem, phrase, problem } from '../errors.ts'
import { isObject, type Json } from '../json.ts'
import { OPERATIONS } from '../logic/operations.ts'
import { isCodeKey } from '../page/has-code.ts'
import { nameHint, nearestName } from '../page/nearest-type.ts'
import type { Page, PageNode } from '../page/page.ts'
import type { PageCheck } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'
import { RULE_OPTIONS } from '../page/rule-options.ts'
import { ROOTS } from '../page/scope.ts'
import { pathsOf } from '../text/template.ts'
import { type At, checkPath, type Names, namesOf } from './names.ts'

const MAX_DEPTH = 40
/** The properties of `user` in an answer, supplied from outside; absent: not checked. */
export type UserFacts = ReadonlySet<string> | undefined

interface Reads {
  /** Names that something on the page writes, and those of its sources; null if code may write any. */
  readonly data: { readonly written: ReadonlySet<string>; readonly sources: readonly string[] } | null
  /** For paths that a source reads: fields and parameters. */
  readonly names: Names
  readonly user: UserFacts
  /** `row` is defined here. */
  readonly rows: boolean
}

/**
 * Paths that do not exist: a row where there are no rows, the answer of a source whose name is misspelt, an unknown property of the user; and rules
 * written as a text. Data without a similar source name is not checked, because a part shared by several pages reads what only some of them write.
 * Only for our pages: the host of a plain document supplies its own data.
 */
export const checkReads =
  (user: UserFacts): PageCheck =>
  (page, placing) => {
    if (!placing.ours) return []
    const sources = [...page.dataSources.keys()]
    const data = page.hasCode ? null : { written: writtenData(page), sources }
    const everywhere: Reads = { data, user, rows: true, names: namesOf(page, placing) }
    const { on, ...settings } = page.settings
    const config =
      (pointer: string): At =>
      (below) =>
        `/formConfig${pointer}${below}`
    return [
      ...[...page.nodes.values()].flatMap((node) =>
        readsIn(node.widget.options, (below) => placing.at(node, `/options${below}`), {
          ...everywhere,
          rows: hasRows(node),
        }),
      ),
      ...readsIn({ ...settings, on: on ?? null }, config('/page'), { ...everywhere, rows: false }),
      ...readsIn(page.config.dataSources, config('/dataSources'), everywhere),
    ]
  }

/** A widget among rows, or one that contains rows. */
function hasRows({ template, subForm, spec }: PageNode): boolean {
  return (
    template !== null ||
    subForm !== null ||
    spec.children === 'template' ||
    spec.children === 'rowList' ||
    'dsName' in spec.options ||
    'tableColumns' in spec.options ||
    spec.events.some((event) => /^(?:row|item|point|select|move)/i.test(event))
  )
}

/** Names below `data`: answers of sources, values written by `set`, and by options of widgets (such as the selection). */
function writtenData(page: Page): ReadonlySet<string> {
  const names = new Set<string>(page.dataSources.keys())
  const collect = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    if (isObject(value) && value.do === 'set' && typeof value.data === 'string')
      names.add(value.data.split('.')[0] ?? '')
    for (const item of Object.values(value)) collect(item, depth + 1)
  }
  for (const { widget } of page.nodes.values()) {
    collect(widget.options, 0)
    for (const value of Object.values(widget.options ?? {})) if (typeof value === 'string') names.add(value)
  }
  collect(page.settings.on, 0)
  return names.add('confirm')
}

function readsIn(value: unknown, at: At, reads: Reads, depth = 0): readonly Problem[] {
  if (typeof value === 'string') return pathsOf(value).flatMap((path) => pathFaults(path, at(''), reads))
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  if (isObject(value) && Object.keys(value).length === 1) {
    const [name = ''] = Object.keys(value)
    const below: At = (rest) => at(joinPointer('', name) + rest)
    if (name === 'var') return variableFaults(value.var, below, reads)
    if (OPERATIONS.get(name)?.perItem === true && Array.isArray(value[name]))
      return readsIn(value[name][0], (rest) => below(`/0${rest}`), reads, depth + 1)
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const below: At = (rest) => at(joinPointer('', key) + rest)
    return isCodeKey(key) || key === 'document'
      ? []
      : [
          ...textRule(value, key, item, below(''), depth),
          ...namedPath(value, key, item, below(''), reads),
          ...readsIn(item, below, reads, depth + 1),
        ]
  })
}

function variableFaults(read: Json | undefined, at: At, reads: Reads): readonly Problem[] {
  const [path, otherwise] = Array.isArray(read) ? read : [read]
  const faults = typeof path === 'string' ? pathFaults(path, at(''), reads) : []
  return [...faults, ...readsIn(otherwise, at, reads)]
}

const PATH = /^\w+(?:\.\w+)+$/
/** Paths that entries of sources read in addition to the scope of the page. */
const SOURCE_ROOTS: readonly string[] = ['DSV', 'VFR']

/** `bind` of a widget, and the value of an entry of a source that is a path. */
function namedPath(of: object, key: string, path: unknown, at: string, reads: Reads): readonly Problem[] {
  if (typeof path !== 'string' || !PATH.test(path)) return []
  if (key === 'bind' && !('label' in of)) return pathFaults(path, at, reads)
  if (key !== 'value' || !isObject(of) || of.type !== 'Variable') return []
  const [root = '', ...more] = path.split('.')
  const suggestion = ROOTS.has(root) || SOURCE_ROOTS.includes(root) ? null : nearestName(root, [...ROOTS])
  if (suggestion !== null) {
    const fullPath = [suggestion, ...more].join('.')
    return [problem('RULE_UNKNOWN_NAME', at, { path }, 'error', nameHint(fullPath, [fullPath]))]
  }
  const [name = ''] = more
  const isSlip = root === 'form' && nearestName(name, [...reads.names.fields]) !== null
  return [...(isSlip ? checkPath(path, at, reads.names) : []), ...pathFaults(path, at, reads)]
}

/** A rule is an object: a text in its place is always true. */
function textRule(of: object, key: string, rule: unknown, at: string, depth: number): readonly Problem[] {
  const isRule =
    (key === 'if' && 'do' in of) ||
    key === '$if' ||
    key === '$without' ||
    (key === 'auto' && 'requestURL' in of) ||
    (RULE_OPTIONS.has(key) && depth > 0)
  if (!isRule || typeof rule !== 'string' || rule === '') return []
  const reason = phrase('"{name}" {reason}', { name: key, reason: phrase('is a rule, not a text') })
  return [problem('OPTION_INVALID', at, { reason })]
}

function pathFaults(path: string, at: string, { data, user, rows }: Reads): readonly Problem[] {
  const [root = '', name] = path.split('.')
  if (name === undefined) return []
  if (root === 'row' && !rows) return [unknownPath(path, at, [])]
  if (root === 'user' && user !== undefined && !user.has(name)) return [unknownPath(path, at, [...user])]
  const isSlip =
    root === 'data' && data?.written.has(name) === false && nearestName(name, data.sources) !== null
  return isSlip ? [unknownPath(path, at, data.sources)] : []
}

function unknownPath(path: string, at: string, known: readonly string[]): Problem {
  const [root = '', name = '', ...more] = path.split('.')
  const nearest = nearestName(name, known)
  const suggestion = [root, nearest ?? '', ...more].join('.')
  return problem(
    'RULE_UNKNOWN_NAME',
    at,
    { path },
    'error',
    nearest === null ? undefined : nameHint(suggestion, [suggestion]),
  )
}
