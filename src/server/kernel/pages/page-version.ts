import { createHash } from 'node:crypto'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { DerivedPage } from '../../../model/derived/parts.ts'
import type { ModelOf } from '../../../model/references/named.ts'

/** A page as it is served. */
export interface PageVersion {
  readonly path: string
  readonly document: Json
  /** Quoted, as in the header. Changes with the content, and is the same on every server. */
  readonly etag: string
  readonly needLogin: boolean
  /** The caller needs one of these permissions to get the page; null: anybody may. */
  readonly permissions: readonly string[] | null
  /** Builds the page for other descriptions of the modules it refers to; absent if it refers to none. */
  readonly byModules?: ByModules
  /** How a tenant's version of a page that is derived from a module follows it; absent for other pages. */
  readonly follows?: Follows
}

/** A page whose fields follow the descriptions of modules. */
interface ByModules {
  readonly modules: ReadonlySet<string>
  documentFor(module: ModelOf): Json
}

/** A published version of a derived page. */
interface Follows {
  readonly module: string
  readonly page: DerivedPage
  /** The page as it is served, for what is derived from the module now. */
  documentFor(derived: Json): Json
}

/** @param open  its route needs no session */
export function pageVersion(path: string, document: Json, open = false): PageVersion {
  const settings = ownValue(ownValue(document, 'formConfig'), 'page')
  return {
    path,
    document,
    etag: etagOf(document),
    needLogin: !open && ownValue(settings, 'needLogin') !== false,
    permissions: permissionsOf(ownValue(settings, 'permission')),
  }
}

/** Which entry of a list applies depends on parameters that only the client has; the calls of the page are protected separately. */
function permissionsOf(setting: Json | undefined): readonly string[] | null {
  if (Array.isArray(setting)) return setting.map((entry) => String(ownValue(entry, 'permission')))
  return typeof setting === 'string' && setting !== '' ? [setting] : null
}

/** True if a person with these permissions may open the page. */
export function mayOpen(held: Iterable<string>, { permissions }: Pick<PageVersion, 'permissions'>): boolean {
  return permissions === null || permissions.some((permission) => holdsPermission(held, permission))
}

/** A strong ETag of any JSON answer. */
export function etagOf(content: Json): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`
}
