import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import { placeOf } from './json-place.ts'
import { type PageVersion, pageVersion } from './page-version.ts'
import { readJsonFile, readJsonFolder } from './read-files.ts'
import { type Origin, type Referred, resolveReferences } from './references.ts'
import { referredFrom } from './referred.ts'

/** The core's check of a document: all problems, none for a good page. */
export type CheckPage = (document: Json) => readonly Problem[]

/** Everything under `schemas/` that makes pages, as it is on disk now. */
export interface PageFiles {
  /** By page path; a page that cannot be used has its problems instead. */
  readonly pages: ReadonlyMap<string, PageVersion | readonly PageProblem[]>
  /** Alias or route → page path. */
  readonly aliases: ReadonlyMap<string, string>
}

/** @throws Error for the operator when the folder is not one of pages */
export async function refuseNoPages(schemasDir: string): Promise<void> {
  const names = await readdir(join(schemasDir, 'pages'), { recursive: true }).catch(() => [])
  if (!names.some((name) => name.endsWith('.json')))
    throw new Error(`SCHEMAS_DIR ${schemasDir} holds no pages (pages/….json)`)
}

/** Reads all pages, puts what they refer to in place and checks each. */
export async function loadPages(schemasDir: string, check: CheckPage): Promise<PageFiles> {
  const [files, fragments, modules, routes] = await Promise.all([
    readJsonFolder(schemasDir, 'pages'),
    readJsonFolder(schemasDir, 'fragments'),
    readJsonFolder(schemasDir, 'modules'),
    readJsonFile(join(schemasDir, 'routes.json'), 'schemas/routes.json'),
  ])
  const rows = Array.isArray(routes.content) ? routes.content.filter(isObject) : []
  const open = new Set(rows.filter((row) => row.needLogin === false).map((row) => row.path))
  const referred = referredFrom(fragments, modules)
  const broken = [...fragments.values()].flatMap((one) => (one.problem === undefined ? [] : [one.problem]))
  const texts = new Map([...files.values(), ...fragments.values()].map(({ file, text }) => [file, text]))
  const pages = [...files].map(([name, read]): [string, PageVersion | readonly PageProblem[]] => {
    const path = `/pages/${name}`
    if (read.content === undefined) return [path, read.problem === undefined ? [] : [read.problem]]
    const { document, problems } = checkedPage(read.content, read.file, referred, check)
    const errors = problems.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) return [path, pageVersion(path, document, open.has(path))]
    const isTorn = errors.some(({ code }) => code === 'FRAGMENT_UNKNOWN')
    return [path, [...errors.map((one) => told(one, texts)), ...(isTorn ? broken : [])]]
  })
  return { pages: new Map(pages), aliases: aliasesOf(rows) }
}

/** The page with what it refers to in place, and all that is wrong with it, where it was written. */
export function checkedPage(
  content: Json,
  file: string,
  referred: Referred,
  check: CheckPage,
): {
  readonly document: Json
  readonly files: ReadonlySet<string>
  readonly problems: readonly (Problem & Origin)[]
} {
  const { document, problems, files, originOf } = resolveReferences(content, file, referred)
  const found = check(document).map((one) => ({ ...one, ...originOf(one.at) }))
  return { document, files, problems: [...problems, ...found] }
}

function told(
  { code, at, message, hint, file }: Problem & Origin,
  texts: ReadonlyMap<string, string | undefined>,
): PageProblem {
  return { code, at, message, hint, file, ...placeOf(texts.get(file) ?? '', at) }
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
