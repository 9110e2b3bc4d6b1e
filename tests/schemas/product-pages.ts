import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'
import { registry } from '../support/a-page.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')

/** A page of the product with its fragments expanded. */
export interface ProductPage {
  /** `/pages/customer/my/index` */
  readonly path: string
  readonly document: JsonObject
}

export interface Product {
  readonly pages: readonly ProductPage[]
  /** Path → its problems. */
  readonly broken: ReadonlyMap<string, readonly string[]>
  /** Every path that opens a page, including aliases → the page's path. */
  readonly routes: ReadonlyMap<string, string>
}

/** All pages under `schemas/pages`, as the server reads them. */
export async function readProduct(): Promise<Product> {
  const { pages, aliases } = await loadPages(SCHEMAS, checkPage)
  const good: ProductPage[] = []
  const broken = new Map<string, string[]>()
  for (const [path, found] of pages) {
    if (!('document' in found))
      broken.set(
        path,
        found.map((one) => `${one.file} ${one.at}: ${one.message}`),
      )
    else if (isObject(found.document)) good.push({ path, document: found.document })
  }
  return { pages: good, broken, routes: aliases }
}

/** The page at a path, as an engine opens it. */
export function pageAt({ pages }: Pick<Product, 'pages'>, path: string): Page {
  const parsed = parsePage(pages.find((page) => page.path === path)?.document ?? {}, { registry })
  if (!parsed.ok) throw new Error(`${path} cannot be opened`)
  return parsed.page
}

/** A file under `schemas/` or `src/`, relative to the root of the repository. */
export async function readJson(path: string): Promise<Json> {
  return JSON.parse(await readFile(join(SCHEMAS, '..', path), 'utf8'))
}

/** Every object of a document, the document itself first. */
export function* objectsIn(value: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item)
  if (!isObject(value)) return
  yield value
  for (const child of Object.values(value)) yield* objectsIn(child)
}

/** Every text of a document. */
export function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  if (isObject(value)) for (const child of Object.values(value)) yield* textsIn(child)
}

/** The data sources a page declares. */
export function sourcesOf({ document }: ProductPage): readonly JsonObject[] {
  const config = isObject(document.formConfig) ? document.formConfig : {}
  return Array.isArray(config.dataSources) ? config.dataSources.filter(isObject) : []
}

/** The page's own settings (`formConfig.page`). */
export function settingsOf({ document }: ProductPage): JsonObject {
  const config = isObject(document.formConfig) ? document.formConfig : {}
  return isObject(config.page) ? config.page : {}
}
