import { createHash } from 'node:crypto'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { ModelOf } from '../../../model/references/named.ts'

/** A page as it is served. */
export interface PageVersion {
  readonly path: string
  readonly document: Json
  /** Quoted, as in the header. Changes with the content, the same on every server. */
  readonly etag: string
  readonly needLogin: boolean
  /** A caller holds one of them to be given the page; null: anybody. */
  readonly permissions: readonly string[] | null
  /** The page for other descriptions of the modules it refers to; absent where it refers to none. */
  readonly byModules?: ByModules
}

/** A page whose fields are as descriptions of modules say. */
interface ByModules {
  readonly modules: ReadonlySet<string>
  documentFor(module: ModelOf): Json
}

/** @param open  the route says that no session is needed */
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

/** Which entry of a list counts depends on parameters that only the client has; the calls of the page have rights of their own. */
function permissionsOf(setting: Json | undefined): readonly string[] | null {
  if (Array.isArray(setting)) return setting.map((entry) => String(ownValue(entry, 'permission')))
  return typeof setting === 'string' && setting !== '' ? [setting] : null
}

/** A strong ETag of any JSON answer. */
export function etagOf(content: Json): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`
}
