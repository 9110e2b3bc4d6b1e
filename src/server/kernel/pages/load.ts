import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { KnownNames } from '../../../../runtime/core/check/known-names.ts'
import type { Problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import { shownProblem } from '../text/author.ts'
import { type CheckPage, checkPage } from './check.ts'
import { placeOf } from './json-place.ts'
import type { Parts } from './last-good.ts'
import { pageMaker } from './made-pages.ts'
import type { PageVersion } from './page-version.ts'
import { type JsonFile, namesIn, readJsonFile, readJsonFolder, unreadable } from './read-files.ts'
import type { Origin, Referred } from './references.ts'
import { referredFrom } from './referred.ts'
import { servedPage } from './served.ts'

/** Everything under `schemas/` that makes up pages, as currently on disk. */
export interface PageFiles {
  /** By page path; an invalid page has its problems instead. */
  readonly pages: ReadonlyMap<string, PageVersion | readonly PageProblem[]>
  /** The invalid pages that can still be opened. */
  readonly opening: ReadonlyMap<string, PageVersion>
  /** The files that make up each valid page. */
  readonly parts: ReadonlyMap<string, Parts>
  /** Alias or route → page path. */
  readonly aliases: ReadonlyMap<string, string>
  /** Titles that routes give pages, by page path. */
  readonly titles: ReadonlyMap<string, string>
  /** Pages as written, by path, if they can be parsed. */
  readonly written: ReadonlyMap<string, { readonly document: Json; readonly text: string }>
  /** What pages may refer to. */
  readonly referred: Referred
  /** The content of fragments, by name. */
  readonly fragments: ReadonlyMap<string, Json>
  /** Paths that need no session, according to their routes. */
  readonly open: ReadonlySet<string>
}

/** @throws Error for the operator if the folder does not contain pages */
export async function refuseNoPages(schemasDir: string): Promise<void> {
  const names = await readdir(join(schemasDir, 'pages'), { recursive: true }).catch(() => [])
  if (!names.some((name) => name.endsWith('.json')))
    throw new Error(`SCHEMAS_DIR ${schemasDir} holds no pages (pages/….json)`)
}

/** Reads all pages, replaces their references and checks each. */
export async function loadPages(
  schemasDir: string,
  check: CheckPage,
  names: KnownNames = {},
): Promise<PageFiles> {
  const [files, fragments, modules, routesFile] = await Promise.all([
    readJsonFolder(schemasDir, 'pages'),
    readJsonFolder(schemasDir, 'fragments'),
    readJsonFolder(schemasDir, 'modules'),
    readJsonFile(join(schemasDir, 'routes.json'), 'schemas/routes.json'),
  ])
  const rows = Array.isArray(routesFile.content) ? routesFile.content.filter(isObject) : []
  const open = new Set(rows.filter((row) => row.needLogin === false).map((row) => String(row.path)))
  const broken = [...fragments.values()].flatMap(unreadable)
  const texts = new Map(
    [...files.values(), ...fragments.values(), ...modules.values()].map(({ file, text }) => [file, text]),
  )
  const aliases = aliasesOf(rows)
  const routes = addressesOf(rows, files.keys())
  const maker = pageMaker(fragments, modules, check, { ...names, routes })
  const opening = new Map<string, PageVersion>()
  const parts = new Map<string, Parts>()
  const pages = [...files].map(([name, read]): [string, PageVersion | readonly PageProblem[]] => {
    const path = `/pages/${name}`
    const { content } = read
    if (content === undefined) return [path, unreadable(read)]
    const version = maker.make(path, { ...read, content }, open.has(path))
    const errors = version.problems.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) {
      const named = [...version.modules].map((module) => `schemas/modules/${module}.json`)
      parts.set(path, partsFrom([read.file, ...version.files, ...named], texts))
      return [path, version.page]
    }
    if (!errors.some(({ code }) => KEEPS_SHUT.has(code)) && opens(version.document))
      opening.set(path, version.page)
    const isTorn = errors.some(({ code }) => code === 'FRAGMENT_UNKNOWN')
    return [path, [...errors.map((error) => shownProblemAt(error, texts)), ...(isTorn ? broken : [])]]
  })
  const written = [...files].flatMap(([name, { content, text = '' }]) =>
    content === undefined ? [] : [[`/pages/${name}`, { document: content, text }] as const],
  )
  return {
    pages: new Map(pages),
    opening,
    parts,
    aliases,
    titles: titlesOf(rows),
    open,
    written: new Map(written),
    referred: maker.referred,
    fragments: new Map(
      [...fragments].flatMap(([name, { content }]) =>
        content === undefined ? [] : [[name, content] as const],
      ),
    ),
  }
}

const partsFrom = (files: readonly string[], texts: ReadonlyMap<string, string | undefined>): Parts =>
  new Map(files.flatMap((file) => (texts.get(file) === undefined ? [] : [[file, texts.get(file) ?? '']])))

/** A page as these earlier files define it. @throws SyntaxError for a file that is not JSON */
export function pageFromParts(path: string, parts: Parts, open: boolean): PageVersion | null {
  const filesIn = (folder: string): ReadonlyMap<string, JsonFile> =>
    new Map(
      [...parts]
        .filter(([file]) => file.startsWith(`schemas/${folder}/`))
        .map(([file, text]) => [
          file.slice(`schemas/${folder}/`.length, -'.json'.length),
          { file, text, content: JSON.parse(text) as Json },
        ]),
    )
  const page = filesIn('pages').get(path.slice('/pages/'.length))
  if (page?.content === undefined) return null
  const referred = referredFrom(filesIn('fragments'), filesIn('modules'))
  return servedPage(path, page.content, referred, open)
}

/** Every address that opens a page. @param names  of the files below schemas/pages, without `.json` */
export function addressesOf(routes: Json, names: Iterable<string>): ReadonlySet<string> {
  const rows = Array.isArray(routes) ? routes.filter(isObject) : []
  return new Set([...aliasesOf(rows).keys(), ...[...names].map((name) => `/pages/${name}`)])
}

/** {@link addressesOf} the files currently on disk. */
export async function readAddresses(schemasDir: string): Promise<ReadonlySet<string>> {
  const [{ content = [] }, names] = await Promise.all([
    readJsonFile(join(schemasDir, 'routes.json'), 'schemas/routes.json'),
    namesIn(schemasDir, 'pages'),
  ])
  return addressesOf(content, names)
}

/** A page with a missing part. */
const KEEPS_SHUT: ReadonlySet<string> = new Set(['FRAGMENT_UNKNOWN', 'FRAGMENT_CYCLE'])

const opens = (document: Json): boolean => checkPage(document).every(({ severity }) => severity !== 'error')

function shownProblemAt(
  found: Problem & Origin,
  texts: ReadonlyMap<string, string | undefined>,
): PageProblem {
  const { file, at } = found
  return { ...shownProblem(found), file, ...placeOf(texts.get(file) ?? '', at) }
}

function titlesOf(rows: readonly JsonObject[]): ReadonlyMap<string, string> {
  const titled = rows.flatMap(({ path, page = path, title }): [string, string][] =>
    typeof page === 'string' && typeof title === 'string' ? [[page, title]] : [],
  )
  return new Map(titled.reverse())
}

function aliasesOf(
  rows: readonly { readonly [key: string]: Json | undefined }[],
): ReadonlyMap<string, string> {
  const pairs = rows.flatMap((row): [string, string][] => {
    const page = typeof row.page === 'string' ? row.page : row.path
    if (typeof page !== 'string') return []
    const names = [row.path, ...(Array.isArray(row.aliases) ? row.aliases : [])]
    return names.flatMap((name) => (typeof name === 'string' ? [[name, page] as [string, string]] : []))
  })
  return new Map(pairs)
}
