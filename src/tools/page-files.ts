import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ADVICE, advise } from '../../runtime/core/check/advise.ts'
import { fillPlaces, type Problem } from '../../runtime/core/errors.ts'
import { isObject, type Json } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { checkModule } from '../model/check-module.ts'
import DICTIONARIES from '../server/flows/dict/default-dicts.json'
import { checkAsAuthor } from '../server/kernel/pages/check.ts'
import { placeOf } from '../server/kernel/pages/json-place.ts'
import { addressesOf } from '../server/kernel/pages/load.ts'
import { checkedPage } from '../server/kernel/pages/made-pages.ts'
import { PERMISSION_MODULES } from '../server/kernel/pages/names.ts'
import { type JsonFile, readJsonFile, readJsonFolder } from '../server/kernel/pages/read-files.ts'
import type { Origin, Referred } from '../server/kernel/pages/references.ts'
import { referredFrom } from '../server/kernel/pages/referred.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SCHEMAS = join(ROOT, 'schemas')
const FRAGMENTS = join(SCHEMAS, 'fragments')
const MODULES = join(SCHEMAS, 'modules')

const DICTIONARY_NAMES: ReadonlySet<string> = new Set(Object.keys(DICTIONARIES))

type ReportedProblem = Pick<Problem, 'severity' | 'at' | 'message' | 'hint'> & { readonly code: string }

export interface CheckedFiles {
  /** `FILE: CODE at /json/pointer (line 3, column 5): sentence` */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** The contents of `schemas/` that a page can refer to. */
interface Known {
  readonly pages: ReadonlyMap<string, JsonFile>
  readonly fragments: ReadonlyMap<string, JsonFile>
  readonly modules: ReadonlyMap<string, JsonFile>
  readonly routes: Json
  readonly referred: Referred
}

/** Checks files of pages and modules; without arguments every page, fragment and module under `schemas/`. An unreadable file is a problem. */
export async function checkFiles(given: readonly string[]): Promise<CheckedFiles> {
  const known = await readKnown()
  const files =
    given.length > 0 ? await Promise.all(given.map((file) => readJsonFile(resolve(file), resolve(file)))) : []
  const stored = [...known.pages.values(), ...known.fragments.values(), ...known.modules.values()]
  const checked = [...(given.length > 0 ? files : stored.map(atRoot))]
  const inPages = createFragmentChecks(known)
  const found = checked.flatMap((file) => checkFile(file, known, inPages).map((one) => ({ one, file })))
  const lines = (severity: Problem['severity']): string[] =>
    found.flatMap(({ one, file }) => (one.severity === severity ? [lineOf(file, one)] : []))
  return { problems: lines('error'), warnings: lines('warning') }
}

/**
 * Advice on every page, or on the given ones: `FILE: name at /json/pointer: sentence`, with positions of the page as drawn. A page that does not open
 * has none.
 */
export async function adviseFiles(given: readonly string[]): Promise<readonly string[]> {
  const known = await readKnown()
  const files =
    given.length > 0
      ? await Promise.all(given.map((file) => readJsonFile(resolve(file), resolve(file))))
      : [...known.pages.values()].map(atRoot)
  return files.flatMap(({ file, content }) => {
    if (content === undefined || isModule(content) || isInside(FRAGMENTS, file)) return []
    const name = relative(ROOT, file).replaceAll('\\', '/')
    const { document } = checkedPage(content, name, known.referred, () => [])
    const parsed = parsePage(document, { registry })
    if (!parsed.ok) return []
    return advise(parsed.page).map(
      (one) => `${name}: ${one.name} at ${one.at}: ${fillPlaces(ADVICE[one.name], one.words)}`,
    )
  })
}

const registry = createRegistry()

/** The same file with its path on this machine. */
const atRoot = (file: JsonFile): JsonFile => ({ ...file, file: join(ROOT, file.file) })

async function readKnown(): Promise<Known> {
  const [pages, fragments, modules] = await Promise.all(
    ['pages', 'fragments', 'modules'].map((folder) => readJsonFolder(SCHEMAS, folder)),
  )
  const none = new Map<string, JsonFile>()
  const read = { pages: pages ?? none, fragments: fragments ?? none, modules: modules ?? none }
  const { content: routes = [] } = await readJsonFile(join(SCHEMAS, 'routes.json'), 'schemas/routes.json')
  return { ...read, routes, referred: referredFrom(read.fragments, read.modules) }
}

type InPages = (fragment: string) => readonly ReportedProblem[] | null

function checkFile(
  { file, content, problem: unread }: JsonFile,
  known: Known,
  inPages: InPages,
): readonly ReportedProblem[] {
  if (content === undefined)
    return [{ severity: 'error', code: 'JSON_INVALID', at: '', message: unread?.message ?? '', hint: '' }]
  if (isInside(MODULES, file) || isModule(content)) return moduleFaults(content, known)
  const name = relative(ROOT, file).replaceAll('\\', '/')
  if (isInside(FRAGMENTS, file)) return inPages(name) ?? checkAlone(content, known)
  return checkedPage(content, name, known.referred, checkAll(known)).problems.filter(
    (problem) => problem.file === name,
  )
}

/** The checks of the server when a page is published, for a new tenant. */
const checkAll =
  ({ pages, routes }: Known) =>
  (document: Json): readonly Problem[] =>
    checkAsAuthor(document, {
      dictionaries: DICTIONARY_NAMES,
      routes: addressesOf(routes, pages.keys()),
    })

/** The faults of a fragment in any page that includes it; null if no page does. */
function createFragmentChecks(known: Known): InPages {
  let found: {
    readonly used: ReadonlySet<string>
    readonly problems: readonly (ReportedProblem & Origin)[]
  } | null = null
  const checkPages = () => {
    const all = [...known.pages.values()].flatMap(({ file, content }) =>
      content === undefined ? [] : [checkedPage(content, file, known.referred, checkAll(known))],
    )
    return {
      used: new Set(all.flatMap(({ files }) => [...files])),
      problems: all.flatMap(({ problems }) => problems),
    }
  }
  return (fragment) => {
    found ??= checkPages()
    if (!found.used.has(fragment)) return null
    const ownProblems = found.problems.filter(({ file }) => file === fragment)
    return [
      ...new Map(
        ownProblems.map((problem) => [`${problem.code} ${problem.at} ${problem.message}`, problem]),
      ).values(),
    ]
  }
}

/** True for the description of a module in any place: pages have neither fields nor a title of their own. */
const isModule = (document: unknown): boolean =>
  isObject(document) && Array.isArray(document.fields) && document.widgetList === undefined

function moduleFaults(document: unknown, { modules, pages, routes }: Known): readonly ReportedProblem[] {
  const checked = checkModule(document, {
    dictionaries: DICTIONARY_NAMES,
    permissions: PERMISSION_MODULES,
    modules: new Set(modules.keys()),
    routes: addressesOf(routes, pages.keys()),
  })
  return checked.ok
    ? []
    : checked.problems.map(({ code, at, message, hint }) => ({
        severity: 'error',
        code,
        at,
        message: `${message} (${hint})`,
        hint: '',
      }))
}

/** Faults that depend on the page around a fragment. */
const NOT_ALONE: ReadonlySet<string> = new Set(['RULE_UNKNOWN_NAME', 'DATA_SOURCE_UNKNOWN', 'PAGE_EMPTY'])

/** A fragment that no page includes is checked as a separate page; names it reads may be defined by a page around it. */
function checkAlone(content: Json, known: Known): readonly ReportedProblem[] {
  const widgets = isObject(content) ? content.widgetList : content
  const page = { widgetList: Array.isArray(widgets) ? widgets : [], formConfig: { page: {} } }
  const list = Array.isArray(content)
  return checkedPage(page, '', known.referred, checkAll(known))
    .problems.filter(({ code }) => !NOT_ALONE.has(code))
    .map((problem) => ({ ...problem, at: list ? problem.at.replace(/^\/widgetList/, '') : problem.at }))
}

function lineOf({ file, text }: JsonFile, { code, at, message, hint }: ReportedProblem): string {
  const shown = isInside(process.cwd(), file) ? relative(process.cwd(), file) : file
  const { line, column } = placeOf(text ?? '', at)
  const place = text === undefined || code === 'JSON_INVALID' ? '' : ` (line ${line}, column ${column})`
  const suggestion = hint.startsWith('did you mean') ? ` (${hint})` : ''
  return `${shown}: ${code} at ${at || '/'}${place}: ${message}${suggestion}`.replace(/\s*\n\s*/g, ' ')
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}
