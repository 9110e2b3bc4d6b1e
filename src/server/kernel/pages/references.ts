import { type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { fieldReference } from '../../../../runtime/core/page/field-reference.ts'
import { fragmentName } from '../../../../runtime/core/page/fragments.ts'
import { listReference } from '../../../../runtime/core/page/list-reference.ts'
import { PARSE_LIMITS } from '../../../../runtime/core/page/parse-limits.ts'
import { joinPointer } from '../../../../runtime/core/page/pointer.ts'
import { takesRecord } from '../../../model/field-rights.ts'
import type { FormWords } from '../../../model/form-fields.ts'
import type { ListWords } from '../../../model/list-words.ts'
import {
  isFieldName,
  itemOfField,
  moduleOf,
  recordBody,
  referenceOf,
  referredFields,
} from '../../../model/page-references.ts'
import type { ModelOf } from '../../../model/references/named.ts'
import {
  createListParts,
  type ListParts,
  placedParts,
  referencedParts,
  referencedValues,
  withFilledRule,
} from './list-parts.ts'
import { type Given, hasParameters, type Parameters, parameterFaults, withParameters } from './parameters.ts'

/** The source position of a part of the resolved document. */
export interface Origin {
  readonly file: string
  readonly at: string
}

/** A document with references replaced. */
export interface Resolved {
  readonly document: Json
  readonly problems: readonly (Problem & Origin)[]
  /** Files of the fragments in it. */
  readonly files: ReadonlySet<string>
  /** Modules whose fields it refers to. */
  readonly modules: ReadonlySet<string>
  /** Pointer in the resolved document → file and pointer in the sources. */
  originOf(at: string): Origin
}

/** Reads `schemas/fragments/<name>.json`: a list of widgets, actions or sources, or an object that contains one. */
type FindFragment = (name: string) => { readonly file: string; readonly content: Json } | undefined

/** What a page may refer to. */
export interface Referred {
  readonly fragment: FindFragment
  readonly module: ModelOf
  /** The modules as shipped, if `module` contains a tenant's changes. */
  readonly vendor?: ModelOf
  readonly words: FormWords & ListWords
}

/** A position in a file; everything below a `whole` one was written there. */
interface Source extends Origin {
  readonly whole?: true
}

/** Maximum references of a page, those inside fragments included: the product's pages have 50 at most, and each takes up to 4 ms. */
export const MAX_REFERENCES = 500

/** What the references of a document have cost so far; nothing more is replaced once it is too much. */
interface Spent {
  references: number
  /** Widgets that they stand for, and characters, roughly. */
  widgets: number
  size: number
  isTooMuch: boolean
}

/** Fragments currently being read, outermost first, and the parameters of the innermost. */
interface Reading {
  readonly open: readonly string[]
  readonly given: Given
}

const PAGE: Reading = { open: [], given: {} }

/** One document being resolved. */
interface Run {
  readonly referred: Referred
  /** The page may be opened for an existing record. */
  readonly ofRecord: boolean
  readonly origins: Map<string, Source>
  readonly problems: (Problem & Origin)[]
  readonly files: Set<string>
  readonly modules: Set<string>
  readonly spent: Spent
  /** The filters and sorts of the page, as found by a first pass, and as collected by this one. */
  readonly known: ListParts
  readonly found: ListParts
  /** Data sources required by what the page refers to. */
  readonly brought: { readonly source: Json; readonly from: Source; readonly reading: Reading }[]
}

/**
 * The document with references replaced (PAGE-FORMAT, "References"): fragments with their parameters and the data sources they bring, fields of
 * modules, bodies that contain a record. Unknown and circular references are problems and left out, and so is what follows when there are more than
 * {@link MAX_REFERENCES}, or more than `PARSE_LIMITS.widgets` widgets that they stand for: a text of 60 KB may name a million.
 */
export function resolveReferences(document: Json, file: string, referred: Referred): Resolved {
  const first = read(document, file, referred, createListParts())
  // A list may use the filters of a sheet anywhere on the same page.
  return first.found.size === 0 ? first.resolved : read(document, file, referred, first.found).resolved
}

function read(document: Json, file: string, referred: Referred, known: ListParts): Read {
  const run: Run = {
    referred,
    ofRecord: takesRecord(document),
    known,
    found: createListParts(),
    origins: new Map<string, Source>([['', { file, at: '' }]]),
    problems: [],
    files: new Set(),
    modules: new Set(),
    spent: { references: 0, widgets: 0, size: 0, isTooMuch: false },
    brought: [],
  }
  const placed = withBrought(copy(document, { file, at: '' }, '', PAGE, run), run)
  return {
    found: run.found,
    resolved: {
      document: withRecords(placed, file, run),
      problems: run.problems,
      files: run.files,
      modules: run.modules,
      originOf: (at) => originIn(run.origins, at, file),
    },
  }
}

interface Read {
  readonly resolved: Resolved
  readonly found: ListParts
}

function report(found: readonly Problem[], { file, at }: Origin, run: Pick<Run, 'problems'>): void {
  run.problems.push(...found.map((one) => ({ ...one, file, at })))
}

const below = (from: Source, key: string | number): Source =>
  from.whole ? from : { file: from.file, at: joinPointer(from.at, key) }

const asWhole = ({ file, at }: Origin): Source => ({ file, at, whole: true })

function copy(value: Json, from: Source, to: string, reading: Reading, run: Run): Json {
  if (typeof value === 'string') {
    const filled = withParameters(value, reading.given)
    if (typeof filled === 'string') return filled
    if (isExcessive(run, from, [filled])) return null
    run.origins.set(to, asWhole(from))
    return copy(filled, asWhole(from), to, PAGE, run)
  }
  if (isPlain(value)) return value
  if (Array.isArray(value)) return copyList(value, from, to, reading, run)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const name = String(withParameters(key, reading.given))
      const expanded = isObject(child) ? referencedValues(child, naming(reading), run.known) : (child ?? null)
      return [name, copy(expanded, below(from, key), joinPointer(to, name), reading, run)]
    }),
  )
}

/** The entries that make an object a reference, or part of one, wherever it stands. */
const REFERRING: ReadonlySet<string> = new Set([
  ...['fragment', 'field', 'fields', 'of'],
  ...['filters', 'sorts', 'card', 'facts', 'chosen', 'filtered'],
])
/** Fragments are used by many pages, and a page with filters is read twice. */
const plainness = new WeakMap<object, boolean>()

/** True if nothing in the value is replaced: it is used as it is, and its parts are where the nearest recorded position says. */
function isPlain(value: Json): boolean {
  if (typeof value === 'string') return !hasParameters(value)
  if (!isObject(value) && !Array.isArray(value)) return true
  const known = plainness.get(value)
  if (known !== undefined) return known
  const result = Array.isArray(value)
    ? value.every(isPlain)
    : value.type !== 'fragment' &&
      Object.entries(value).every(
        ([key, child]) => !REFERRING.has(key) && isPlain(key) && isPlain(child ?? null),
      )
  plainness.set(value, result)
  return result
}

const naming =
  ({ given }: Reading) =>
  (text: string): string =>
    String(withParameters(text, given))

function copyList(list: readonly Json[], from: Source, to: string, reading: Reading, run: Run): Json[] {
  const out: Json[] = []
  for (const { item, source, reading: inner } of itemsOf(list, from, reading, run)) {
    const place = joinPointer(to, out.length)
    run.origins.set(place, source)
    out.push(copy(item, source, place, inner, run))
  }
  return out
}

/** The final items of a list, and where each was written. */
interface Item {
  readonly item: Json
  readonly source: Source
  readonly reading: Reading
}

function itemsOf(list: readonly Json[], from: Source, reading: Reading, run: Run): Item[] {
  return list.flatMap((item, index) => {
    if (run.spent.isTooMuch) return []
    const source = below(from, index)
    if (typeof item === 'string') {
      const filled = withParameters(item, reading.given)
      if (!Array.isArray(filled)) return [{ item: filled, source, reading: PAGE }]
      return counted(source, run, () => itemsOf(filled, asWhole(source), PAGE, run))
    }
    if (!isObject(item)) return [{ item, source, reading }]
    const name = fragmentName(item)
    if (name !== null) return counted(source, run, () => itemsOfFragment(name, item, source, reading, run))
    const expanded = referencedParts(item, naming(reading), run.known)
    if (expanded !== null) return counted(source, run, () => standing(expanded, source))
    if (listReference(item)) return counted(source, run, () => itemsOfList(item, source, reading, run))
    const fields = fieldReference(item)
    return fields === null
      ? itemsAbout(item, source, reading, run)
      : counted(source, run, () => itemsOfFields(fields, source, reading, run))
  })
}

/** An item with the label of the field it names in `of`; any other item is unchanged. */
function itemsAbout(item: JsonObject, source: Source, reading: Reading, run: Run): Item[] {
  const reference = referenceOf(item)
  const named = typeof reference === 'string' ? withParameters(reference, reading.given) : undefined
  if (!isFieldName(named))
    return [{ item: withFilledRule(item, naming(reading), run.known), source, reading }]
  const { module, vendor } = run.referred
  run.modules.add(moduleOf({ field: named }))
  const found = itemOfField(item, named, module, vendor)
  report(found.problems, source, run)
  return found.item === null ? [] : [{ item: found.item, source, reading }]
}

function itemsOfFragment(name: string, item: JsonObject, source: Source, outer: Reading, run: Run): Item[] {
  const found = run.referred.fragment(name)
  if (found === undefined) {
    report([problem('FRAGMENT_UNKNOWN', '', { name })], source, run)
    return []
  }
  if (outer.open.includes(name)) {
    report([problem('FRAGMENT_CYCLE', '', { path: [...outer.open, name].join(' → ') })], source, run)
    return []
  }
  run.files.add(found.file)
  const { list, at, sources, parameters } = partsOf(found.content)
  const values = isObject(item.with) ? plain(item.with, source, outer, run) : {}
  report(parameterFaults(name, values, parameters), source, run)
  const reading: Reading = { open: [...outer.open, name], given: { ...parameters, ...values } }
  const { file } = found
  sources.forEach((one, i) => {
    run.brought.push({ source: one, from: { file, at: `/dataSources/${i}` }, reading })
  })
  return itemsOf(list, { file, at }, reading, run)
}

function itemsOfFields(fields: JsonObject, source: Source, reading: Reading, run: Run): Item[] {
  const { module, vendor, words } = run.referred
  const item = plain(fields, source, reading, run)
  run.modules.add(moduleOf(item))
  const form = { model: module, words, ofRecord: run.ofRecord, ...(vendor === undefined ? {} : { vendor }) }
  const found = referredFields(item, form)
  report(found.problems, source, run)
  bring(found.sources, source, run)
  return standing(found.widgets, source)
}

/** The replacement for a reference of a list or detail page; its filters and sorts are remembered for the rest of the page. */
function itemsOfList(item: JsonObject, source: Source, reading: Reading, run: Run): Item[] {
  const { module, vendor = module, words } = run.referred
  const placed = placedParts(plain(item, source, reading, run), { model: module, vendor }, words, run.found)
  run.modules.add(placed.module)
  report(placed.problems, source, run)
  bring(placed.sources, source, run)
  return standing(placed.items, source)
}

/** What a reference stands for, in its place. */
const standing = (items: readonly Json[], source: Source): Item[] =>
  items.map((item) => ({ item, source: asWhole(source), reading: PAGE }))

function bring(sources: readonly Json[], source: Source, run: Run): void {
  run.brought.push(...sources.map((one) => ({ source: one, from: asWhole(source), reading: PAGE })))
}

/** Counts a reference, and what it stands for, which is left out if it is too much. */
function counted(source: Source, run: Run, find: () => Item[]): Item[] {
  if (run.spent.isTooMuch) return []
  run.spent.references += 1
  const items = run.spent.references > MAX_REFERENCES ? [] : find()
  const values = items.map(({ item }) => item)
  return isExcessive(run, source, values) ? [] : items
}

/** Counts what is put in the place of a reference or a parameter. The first that is too much is reported. */
function isExcessive({ spent, ...run }: Run, source: Source, values: readonly Json[]): boolean {
  for (const value of values) weigh(value, spent)
  const excess = excessOf(spent)
  // What contains this reference is over the limit as well.
  if (excess !== null && !spent.isTooMuch) report([excess], source, run)
  spent.isTooMuch ||= excess !== null
  return spent.isTooMuch
}

function excessOf({ references, widgets, size }: Spent): Problem | null {
  const { widgets: most, size: longest } = PARSE_LIMITS
  if (references > MAX_REFERENCES) {
    const reason = phrase('a page has at most {limit} references', { limit: MAX_REFERENCES })
    return problem('OPTION_INVALID', '', { reason })
  }
  if (widgets > most) return problem('TOO_MANY_WIDGETS', '', { count: `more than ${most}`, limit: most })
  return size > longest ? problem('DOCUMENT_TOO_LARGE', '', { size, limit: longest }) : null
}

/** Adds a value to what has been spent; stops where it is too much, since values may be shared again and again. */
function weigh(value: Json, spent: Spent): void {
  if (spent.size > PARSE_LIMITS.size) return
  spent.size += typeof value === 'string' ? value.length + 3 : 2
  if (Array.isArray(value)) for (const one of value) weigh(one, spent)
  else if (isObject(value)) {
    if (typeof value.type === 'string') spent.widgets += 1
    for (const [key, one] of Object.entries(value)) {
      spent.size += key.length + 4
      weigh(one ?? null, spent)
    }
  }
}

/** An object of a reference with the surrounding parameters inserted. */
const plain = (value: JsonObject, source: Source, reading: Reading, run: Run): JsonObject =>
  copy(value, asWhole(source), '', reading, { ...run, origins: new Map() }) as JsonObject

/** Added sources follow the page's own; one with an existing name is not added. */
function withBrought(page: Json, run: Run): Json {
  if (run.brought.length === 0 || !isObject(page)) return page
  const config = isObject(page.formConfig) ? page.formConfig : {}
  const sources: Json[] = [...(Array.isArray(config.dataSources) ? config.dataSources : [])]
  const names = new Set(sources.map((source) => ownValue(source, 'uniqueName')))
  for (const { source, from, reading } of run.brought) {
    const at = `/formConfig/dataSources/${sources.length}`
    const copied = copy(source, from, at, reading, run)
    const name = ownValue(copied, 'uniqueName')
    if (names.has(name)) continue
    names.add(name)
    run.origins.set(at, from)
    sources.push(copied)
  }
  return { ...page, formConfig: { ...config, dataSources: sources } }
}

/** `{ "record": "customer" }` in a body: the fields of the module that the page contains. */
function withRecords(page: Json, file: string, run: Run): Json {
  const config = ownValue(page, 'formConfig')
  const sources = ownValue(config, 'dataSources')
  if (!isObject(page) || !isObject(config) || !Array.isArray(sources)) return page
  const { module, words } = run.referred
  const dataSources = sources.map((source, i): Json => {
    const body = ownValue(source, 'body')
    if (!isObject(source) || !isObject(body) || typeof body.record !== 'string') return source
    const at = `/formConfig/dataSources/${i}/body`
    run.modules.add(body.record)
    const recordFields = recordBody(body, page.widgetList ?? null, module, words)
    const from = originIn(run.origins, joinPointer(at, 'record'), file)
    report(recordFields.problems, from, run)
    for (const key of recordFields.keys) run.origins.set(joinPointer(at, key), asWhole(from))
    return { ...source, body: recordFields.body }
  })
  return { ...page, formConfig: { ...config, dataSources } }
}

interface FragmentParts {
  readonly list: readonly Json[]
  readonly at: string
  readonly parameters: Parameters
  readonly sources: readonly Json[]
}

/** Kinds of lists that a fragment may contain, by where it is used. */
const LISTS = ['widgetList', 'actions', 'items'] as const

function partsOf(content: Json): FragmentParts {
  if (Array.isArray(content)) return { list: content, at: '', parameters: {}, sources: [] }
  const key = LISTS.find((name) => Array.isArray(ownValue(content, name))) ?? 'widgetList'
  const list = ownValue(content, key)
  const sources = ownValue(content, 'dataSources')
  const parameters = ownValue(content, 'with')
  return {
    list: Array.isArray(list) ? list : [],
    at: `/${key}`,
    parameters: isObject(parameters) ? parameters : {},
    sources: Array.isArray(sources) ? sources : [],
  }
}

/** The nearest recorded position above `at`, followed by the remaining path. */
function originIn(origins: ReadonlyMap<string, Source>, at: string, file: string): Origin {
  for (let end = at.length; end >= 0; end = at.lastIndexOf('/', end - 1)) {
    const origin = origins.get(at.slice(0, Math.max(0, end)))
    if (origin?.whole) return { file: origin.file, at: origin.at }
    if (origin !== undefined) return { file: origin.file, at: origin.at + at.slice(Math.max(0, end)) }
    if (end <= 0) break
  }
  return { file, at }
}
