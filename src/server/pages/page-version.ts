import { createHash } from 'node:crypto'
import { type Json, ownValue } from '../../../runtime/core/json.ts'

/** A page as it is served. */
export interface PageVersion {
  readonly path: string
  readonly document: Json
  /** Quoted, as in the header. Changes with the content, the same on every server. */
  readonly etag: string
  readonly needLogin: boolean
  readonly permission: string | null
}

/** @param open  the route says that no session is needed */
export function pageVersion(path: string, document: Json, open = false): PageVersion {
  const settings = ownValue(ownValue(document, 'formConfig'), 'page')
  const permission = ownValue(settings, 'permission')
  return {
    path,
    document,
    etag: etagOf(document),
    needLogin: !open && ownValue(settings, 'needLogin') !== false,
    permission: typeof permission === 'string' && permission !== '' ? permission : null,
  }
}

/** A strong ETag of any JSON answer. */
export function etagOf(content: Json): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`
}
