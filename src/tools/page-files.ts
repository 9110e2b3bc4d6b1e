import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseStrictly } from '../../runtime/core/check/parse-strictly.ts'
import { type Problem, problem } from '../../runtime/core/errors.ts'
import { isObject, type Json } from '../../runtime/core/json.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { checkModule } from '../model/check-module.ts'
import { checkCode } from './check-code.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FRAGMENTS = join(ROOT, 'schemas/fragments')
const MODULES = join(ROOT, 'schemas/modules')

type Told = Pick<Problem, 'severity' | 'at' | 'message'> & { readonly code: string }

export interface CheckedFiles {
  /** `FILE: CODE at /json/pointer: sentence` */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Checks files of pages and modules; none given means every page, fragment and module under `schemas/`. A file that cannot be read is a problem. */
export async function checkFiles(given: readonly string[]): Promise<CheckedFiles> {
  const fragments = await readFragments()
  const files = given.length > 0 ? given.map((file) => resolve(file)) : await ownFiles()
  const found = await Promise.all(
    files.map(async (file) => {
      const problems = await checkFile(file, fragments)
      return problems.map((one) => ({ severity: one.severity, line: lineOf(file, one) }))
    }),
  )
  const lines = (severity: Problem['severity']): string[] =>
    found.flat().flatMap((one) => (one.severity === severity ? [one.line] : []))
  return { problems: lines('error'), warnings: lines('warning') }
}

async function checkFile(file: string, fragments: Readonly<Record<string, Json>>): Promise<readonly Told[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return [problem('JSON_INVALID', '', { reason: 'it cannot be read' })]
  }
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return [problem('JSON_INVALID', '', { reason: whereOf(text, error) })]
  }
  if (isInside(MODULES, file) || isModule(document)) return moduleFaults(document)
  return checkDocument(document, fragments, isInside(FRAGMENTS, file))
}

/** A description of a module that lies anywhere: pages have neither fields nor a title of their own. */
const isModule = (document: unknown): boolean =>
  isObject(document) && Array.isArray(document.fields) && document.widgetList === undefined

function moduleFaults(document: unknown): readonly Told[] {
  const checked = checkModule(document)
  return checked.ok
    ? []
    : checked.problems.map(({ code, at, message, hint }) => ({
        severity: 'error',
        code,
        at,
        message: `${message} (${hint})`,
      }))
}

/** A fragment is checked as a page of its own; the fields it reads may stand in the page around it. */
function checkDocument(
  document: unknown,
  fragments: Readonly<Record<string, Json>>,
  isFragment: boolean,
): readonly Problem[] {
  const list = isFragment && Array.isArray(document)
  const page = isFragment && !(isObject(document) && document.formConfig !== undefined)
  const whole = page ? { widgetList: listOf(document), formConfig: { page: {} } } : document
  const result = parseStrictly(whole, { registry: createRegistry(), fragments })
  const problems = [...(result.ok ? result.warnings : result.problems), ...checkCode(whole)]
  if (!page) return problems
  return problems
    .filter(({ code }) => code !== 'RULE_UNKNOWN_NAME' && code !== 'DATA_SOURCE_UNKNOWN')
    .map((one) => ({ ...one, at: list ? one.at.replace(/^\/widgetList/, '') : one.at }))
}

function listOf(content: unknown): unknown {
  return isObject(content) ? content.widgetList : content
}

/** Every fragment by its path below schemas/fragments, without `.json`. One that is no JSON is left to its own check. */
async function readFragments(): Promise<Readonly<Record<string, Json>>> {
  const entries = await Promise.all(
    (await jsonFiles(FRAGMENTS)).map(async (file): Promise<[string, Json][]> => {
      const name = relative(FRAGMENTS, file)
        .replaceAll('\\', '/')
        .replace(/\.json$/, '')
      try {
        return [[name, JSON.parse(await readFile(file, 'utf8')) as Json]]
      } catch {
        return []
      }
    }),
  )
  return Object.fromEntries(entries.flat())
}

async function ownFiles(): Promise<readonly string[]> {
  const folders = [join(ROOT, 'schemas/pages'), FRAGMENTS, MODULES]
  return (await Promise.all(folders.map(jsonFiles))).flat()
}

async function jsonFiles(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const names = await readdir(folder, { recursive: true })
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
}

/** Line and column, from the position the engine names. */
function whereOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const position = /position (\d+)/.exec(message)?.[1]
  const at = position === undefined ? text.length : Number(position)
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message.replace(/\s+/g, ' ')}`
}

function lineOf(file: string, { code, at, message }: Told): string {
  const shown = isInside(process.cwd(), file) ? relative(process.cwd(), file) : file
  return `${shown}: ${code} at ${at || '/'}: ${message}`.replace(/\s*\n\s*/g, ' ')
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}
