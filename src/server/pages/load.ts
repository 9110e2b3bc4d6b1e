import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { PageProblem } from '../../contract/pages.ts'
import { resolveFragments } from './fragments.ts'
import { type PageVersion, pageVersion } from './page-version.ts'
import { readJsonFile, readJsonFolder } from './read-files.ts'

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

/** Reads all pages, puts fragments in place and checks each. */
export async function loadPages(schemasDir: string, check: CheckPage): Promise<PageFiles> {
  const [files, fragments, routes] = await Promise.all([
    readJsonFolder(schemasDir, 'pages'),
    readJsonFolder(schemasDir, 'fragments'),
    readJsonFile(join(schemasDir, 'routes.json'), 'schemas/routes.json'),
  ])
  const rows = Array.isArray(routes.content) ? routes.content.filter(isObject) : []
  const open = new Set(rows.filter((row) => row.needLogin === false).map((row) => row.path))
  const findFragment = (name: string) => {
    const found = fragments.get(name)
    return found?.content === undefined ? undefined : { file: found.file, content: found.content }
  }
  const broken = [...fragments.values()].flatMap((one) => (one.problem === undefined ? [] : [one.problem]))
  const pages = [...files].map(([name, read]): [string, PageVersion | readonly PageProblem[]] => {
    const path = `/pages/${name}`
    if (read.content === undefined) return [path, read.problem === undefined ? [] : [read.problem]]
    const resolved = resolveFragments(read.content, read.file, findFragment)
    const problems = [
      ...resolved.problems.map(({ code, at, message, hint, file }) => ({ code, at, message, hint, file })),
      ...(resolved.problems.length > 0 ? broken : []),
      ...check(resolved.document)
        .filter((found) => found.severity === 'error')
        .map(({ code, at, message, hint }) => ({ code, message, hint, ...resolved.originOf(at) })),
    ]
    return [path, problems.length > 0 ? problems : pageVersion(path, resolved.document, open.has(path))]
  })
  return { pages: new Map(pages), aliases: aliasesOf(rows) }
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
