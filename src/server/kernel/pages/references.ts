import { type Problem, problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { fieldReference } from '../../../../runtime/core/page/field-reference.ts'
import { fragmentName } from '../../../../runtime/core/page/fragments.ts'
import { listReference } from '../../../../runtime/core/page/list-reference.ts'
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
  /** The filters and sorts of the page, as found by a first pass, and as collected by this one. */
  readonly known: ListParts
  readonly found: ListParts
  /** Data sources required by what the page refers to. */
  readonly brought: { readonly source: Json; readonly from: Source; readonly reading: Reading }[]
}

/**
 * The document with references replaced (PAGE-FORMAT, "References"): fragments with their parameters and the data sources they bring, fields of
 * modules, bodies that contain a record. Unknown and circular references are problems and left out.
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

function report(found: readonly Problem[], { file, at }: Origin, run: Run): void {
  run.problems.push(...found.map((one) => ({ ...one, file, at })))
}

const below = (from: Source, key: string | number): Source =>
  from.whole ? from : { file: from.file, at: joinPointer(from.at, key) }

const asWhole = ({ file, at }: Origin): Source => ({ file, at, whole: true })

function copy(value: Json, from: Source, to: string, reading: Reading, run: Run): Json {
  if (typeof value === 'string') {
    const filled = withParameters(value, reading.given)
    if (typeof filled === 'string') return filled
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
    const source = below(from, index)
    if (typeof item === 'string') {
      const filled = withParameters(item, reading.given)
      return Array.isArray(filled)
        ? itemsOf(filled, asWhole(source), PAGE, run)
        : [{ item: filled, source, reading: PAGE }]
    }
    if (!isObject(item)) return [{ item, source, reading }]
    const name = fragmentName(item)
    if (name !== null) return itemsOfFragment(name, item, source, reading, run)
    const expanded = referencedParts(item, naming(reading), run.known)
    if (expanded !== null)
      return expanded.map((one) => ({ item: one, source: asWhole(source), reading: PAGE }))
    if (listReference(item)) return itemsOfList(item, source, reading, run)
    const fields = fieldReference(item)
    return fields === null
      ? itemsAbout(item, source, reading, run)
      : itemsOfFields(fields, source, reading, run)
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
  const from = asWhole(source)
  for (const one of found.sources) run.brought.push({ source: one, from, reading: PAGE })
  return found.widgets.map((item) => ({ item, source: from, reading: PAGE }))
}

/** The replacement for a reference of a list or detail page; its filters and sorts are remembered for the rest of the page. */
function itemsOfList(item: JsonObject, source: Source, reading: Reading, run: Run): Item[] {
  const { module, vendor = module, words } = run.referred
  const placed = placedParts(plain(item, source, reading, run), { model: module, vendor }, words, run.found)
  run.modules.add(placed.module)
  report(placed.problems, source, run)
  const from = asWhole(source)
  for (const one of placed.sources) run.brought.push({ source: one, from, reading: PAGE })
  return placed.items.map((one) => ({ item: one, source: from, reading: PAGE }))
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
