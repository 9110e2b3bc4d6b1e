import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { nameOf, type Package, type PackageItem } from './package-file.ts'

/** Path below the folder → text. */
export type Folder = ReadonlyMap<string, string>

const HEAD = 'package.json'
const MENUS = 'menus.json'
const NAME = /^[a-z]\w{0,59}$/i
const PATH = /^\/pages(?:\/[A-Za-z0-9][\w-]*){1,8}$/

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * A package as a folder in the layout of `schemas/`, for Git: `pages/x/board.json` byte for byte, `modules/ticket.json`,
 * `dicts/ticket_level.json`, `menus.json`.
 *
 * @throws RangeError for a name that cannot be a file name
 */
export function folderOf({ title, items }: Package): Folder {
  const files = new Map<string, string>([[HEAD, print({ title })]])
  for (const item of items.filter(({ kind }) => kind !== 'menu')) files.set(fileOf(item), textOf(item))
  const menus = items.filter(({ kind }) => kind === 'menu').map(({ change }) => change)
  if (menus.length > 0) files.set(MENUS, print(menus))
  return files
}

/** The package in such a folder; other files are ignored. @throws SyntaxError for one that is not JSON */
export function packageOf(folder: Folder): Package {
  const head = read(folder.get(HEAD) ?? '{}')
  const menus = read(folder.get(MENUS) ?? '[]')
  const title = isObject(head) && typeof head.title === 'string' ? head.title : ''
  const of = (room: string): readonly (readonly [string, string])[] =>
    [...folder].filter(([path]) => path.startsWith(`${room}/`) && path.endsWith('.json')).sort()
  return {
    title,
    items: [
      ...of('dicts').map(([, text]): PackageItem => ({ kind: 'dict', change: asObject(read(text)) })),
      ...of('modules').map(
        ([, text]): PackageItem => ({ kind: 'module', change: { description: read(text) } }),
      ),
      ...of('pages').map(
        ([path, text]): PackageItem => ({
          kind: 'page',
          change: { path: `/${path.slice(0, -'.json'.length)}`, document: text },
        }),
      ),
      ...(Array.isArray(menus) ? menus : []).map(
        (one): PackageItem => ({ kind: 'menu', change: asObject(one) }),
      ),
    ],
  }
}

function fileOf(item: PackageItem): string {
  const name = nameOf(item)
  const isFit = item.kind === 'page' ? PATH.test(name) : NAME.test(name)
  if (!isFit) throw new RangeError(`"${name}" is no name of a file`)
  return item.kind === 'page' ? `${name.slice(1)}.json` : `${item.kind}s/${name}.json`
}

function textOf({ kind, change }: PackageItem): string {
  if (kind === 'page') return String(change.document)
  return print(kind === 'module' ? change.description : change)
}

const read = (text: string): Json => JSON.parse(text.replace(/^\uFEFF/, '')) as Json
const asObject = (value: Json): JsonObject => (isObject(value) ? value : {})
