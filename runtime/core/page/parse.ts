import { type Problem, phrase, problem } from '../errors.ts'
import { isObject, isSafeName, type Json, type JsonObject } from '../json.ts'
import { type Build, createBuild, type Draft } from './build.ts'
import { configHasCode } from './has-code.ts'
import { keyDrafts } from './node-keys.ts'
import type { DataSource, FormConfig, NodeKey, Page, PageDocument, PageNode, PageSettings } from './page.ts'
import { createNode } from './page-node.ts'
import { BASE_LANGUAGE, localise } from './page-texts.ts'
import { writtenTitle } from './page-title.ts'
import { PARSE_LIMITS, type ParseLimits } from './parse-limits.ts'
import type { ReadJson } from './read-json.ts'
import { walkWidgets } from './walk-widgets.ts'
import type { WidgetRegistry } from './widget-spec.ts'

export interface ParseOptions {
  readonly registry: WidgetRegistry
  /** Widget lists by name, for documents whose fragment references were not resolved yet. */
  readonly fragments?: Readonly<Record<string, Json>>
  readonly limits?: Partial<ParseLimits>
  /** In which a page that has several is wanted; default the base language. */
  readonly language?: string
}

/** A page, or every problem that prevents it from opening; warnings do not. */
export type ParsedPage =
  | { readonly ok: true; readonly page: Page; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Checks that later rooms run on a built page. */
export type PageCheck = (page: Page, place: Placing) => readonly Problem[]

/** Builds pointers into the document of a page. */
export interface Placing {
  /** A pointer below a node; the reference itself for nodes of a fragment. `below` starts with `/` or is empty. */
  at(node: PageNode, below: string): string
  /** Written for us: `formConfig.page` is there. Plain VForm documents are checked less strictly. */
  readonly ours: boolean
}

/** Faults in the structure that everything after it relies on. */
type StructureCheck = (document: Json) => readonly Problem[]

/** Which checks to run on a document. Without `read` and `structure`, a malformed document throws. */
export interface Checks {
  /** Takes a text as well as a document, and bounds both. */
  readonly read?: (input: unknown, limits: ParseLimits) => ReadJson
  /** The registered type that an unknown one most likely misspells. */
  readonly nearest?: Build['nearest']
  readonly structure?: StructureCheck
  readonly page?: readonly PageCheck[]
}

/** Builds a page from its document, with the given checks; see `parse-page.ts`, `read-page.ts`. */
export function buildPage(input: unknown, options: ParseOptions, checks: Checks): ParsedPage {
  const limits = { ...PARSE_LIMITS, ...options.limits }
  const read = checks.read?.(input, limits) ?? { ok: true, value: input as Json }
  if (!read.ok) return { ok: false, problems: [read.problem] }
  const structure = checks.structure?.(read.value) ?? []
  if (structure.length > 0) return { ok: false, problems: structure }
  const written = read.value as PageDocument
  const { document, language, problems: textless } = localise(written, options.language ?? BASE_LANGUAGE)
  const build = createBuild({
    registry: options.registry,
    limits,
    fragments: options.fragments ?? {},
    version: document.formConfig.jsonVersion,
    ours: isObject(document.formConfig.page),
    nearest: checks.nearest ?? (() => null),
  })
  const roots = walkWidgets(build, document.widgetList)
  if (build.drafts.length > limits.widgets) {
    const count = `more than ${limits.widgets}`
    return { ok: false, problems: [problem('TOO_MANY_WIDGETS', '', { count, limit: limits.widgets })] }
  }
  for (const found of textless) build.report(found)
  const { page, placing } = assemble(build, roots, { written, document, language })
  for (const check of checks.page ?? []) for (const found of check(page, placing)) build.report(found)
  const { problems } = build
  const broken = problems.some(({ severity }) => severity === 'error')
  return broken ? { ok: false, problems } : { ok: true, page, warnings: problems }
}

const NONE: readonly NodeKey[] = []

function assemble(
  build: Build,
  roots: readonly Draft[],
  { written, document, language }: Pick<Page, 'written' | 'document' | 'language'>,
): { readonly page: Page; readonly placing: Placing } {
  const keys = keyDrafts(build)
  const keyOf = (draft: Draft | null): NodeKey | null => (draft === null ? null : (keys.get(draft) ?? null))
  const nodes = new Map<NodeKey, PageNode>()
  const byName = new Map<string, NodeKey>()
  const fromFragment = new Set<NodeKey>()
  let hasCode = configHasCode(document.formConfig)
  for (const draft of build.drafts) {
    const { widget, spec, name, field, pointer } = draft
    const key = keys.get(draft) ?? draft.place
    const { node, code } = createNode(
      {
        key,
        name,
        type: spec.type,
        spec,
        widget,
        pointer,
        parent: keyOf(draft.parent),
        children:
          draft.children.length === 0 ? NONE : draft.children.flatMap((child) => keys.get(child) ?? []),
        field,
        subForm: keyOf(draft.subForm),
        template: keyOf(draft.template),
      },
      build.version,
    )
    nodes.set(key, node)
    const known = nodes.get(byName.get(name) ?? '')
    // A field before other widgets, and one of the form itself before one of its rows.
    const rank = (one: { readonly field: boolean; readonly subForm: unknown }): number =>
      (one.field ? 2 : 0) + (one.subForm === null ? 1 : 0)
    if (name !== '' && (known === undefined || rank({ field, subForm: draft.subForm }) > rank(known)))
      byName.set(name, key)
    if (draft.place !== pointer) fromFragment.add(key)
    hasCode ||= code
  }
  const config: FormConfig = document.formConfig
  const title = writtenTitle(document)
  const settings: PageSettings = isObject(config.page) ? config.page : title === '' ? {} : { title }
  const dataSources = readSources(build, config)
  const page: Page = {
    written,
    document,
    language,
    config,
    settings,
    nodes,
    roots: roots.flatMap((draft) => keys.get(draft) ?? []),
    byName,
    dataSources,
    hasCode,
  }
  const at = (node: PageNode, below: string): string =>
    fromFragment.has(node.key) ? node.pointer : node.pointer + below
  return { page, placing: { at, ours: build.ours } }
}

function readSources(build: Build, config: JsonObject): ReadonlyMap<string, DataSource> {
  const sources = new Map<string, DataSource>()
  const list = Array.isArray(config.dataSources) ? config.dataSources : []
  for (const [i, source] of list.entries()) {
    const at = `/formConfig/dataSources/${i}`
    const name: unknown = isObject(source) ? source.uniqueName : undefined
    if (typeof name !== 'string' || name === '') {
      if (build.ours)
        build.report(problem('OPTION_INVALID', at, { reason: phrase('a data source has no uniqueName') }))
      continue
    }
    if (!isSafeName(name)) build.report(problem('NAME_FORBIDDEN', `${at}/uniqueName`, { name }))
    else if (sources.has(name)) {
      const reason = phrase('two data sources are called "{name}"', { name })
      build.report(
        problem('OPTION_INVALID', `${at}/uniqueName`, { reason }, build.ours ? 'error' : 'warning'),
      )
    } else sources.set(name, source as DataSource)
  }
  return sources
}
