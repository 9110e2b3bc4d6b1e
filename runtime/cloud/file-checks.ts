import type { Text } from '../core/ports.ts'
import { CloudError } from './cloud-error.ts'

function refuse(message: string): CloudError {
  return new CloudError({ code: 'INVALID_PARAM', message })
}

/**
 * A valid path for a stored file: trimmed, not empty, without `://` (cloud storage checks).
 * @throws CloudError INVALID_PARAM
 */
export function checkCloudPath(cloudPath: unknown, text: Text): string {
  if (typeof cloudPath !== 'string') throw refuse(text('cloud.path-type'))
  const path = cloudPath.trim()
  if (path === '') throw refuse(text('cloud.path-empty'))
  if (path.includes('://')) throw refuse(text('cloud.path-invalid'))
  return path
}

/** A valid real path: starts with a slash and has no backslash. @throws CloudError INVALID_PARAM */
export function checkRealPath(path: string, text: Text): string {
  if (path.includes('\\')) throw refuse(text('cloud.path-backslash'))
  return path.startsWith('/') ? path : `/${path}`
}

/** The messages of the list checks, which differ by provider. */
export interface ListRule {
  readonly emptyText: 'cloud.list-items' | 'cloud.list-empty' | 'cloud.list-not-array'
  /** Maximum length, included; default: no maximum. */
  readonly most?: number
}

/** A valid list of files: not empty, not too long. @throws CloudError INVALID_PARAM */
export function checkList<T>(list: unknown, rule: ListRule, text: Text): readonly T[] {
  if (!Array.isArray(list) || list.length === 0) throw refuse(text(rule.emptyText))
  if (rule.most !== undefined && list.length > rule.most) {
    throw refuse(text('cloud.list-too-long', { most: rule.most }))
  }
  return list
}

/** A valid list of file ids: as {@link checkList}, with non-empty texts. @throws CloudError INVALID_PARAM */
export function checkFileIds(list: unknown, rule: ListRule, text: Text): readonly string[] {
  const ids = checkList<unknown>(list, rule, text)
  if (!ids.every(isFileId)) throw refuse(text('cloud.list-items'))
  return ids.filter(isFileId)
}

function isFileId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}
