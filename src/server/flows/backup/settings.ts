import type { Env } from '../../kernel/config/place.ts'
import { KEY_LENGTH } from './sealed-file.ts'

/** The key for encrypting backups; null if none is given. @throws Error with a sentence if it is too short */
export function backupKey(env: Env): string | null {
  const key = env.BACKUP_KEY || null
  if (key !== null && key.length < KEY_LENGTH)
    throw new Error(`BACKUP_KEY needs at least ${KEY_LENGTH} characters`)
  return key
}
