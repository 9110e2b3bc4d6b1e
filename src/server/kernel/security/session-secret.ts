import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

/** The secret that signs sessions: given from outside, otherwise made once and kept in the data folder. */
export async function sessionSecret({ sessionSecret: given, dataDir }: Config): Promise<string> {
  if (given !== undefined) return given
  const path = join(dataDir, 'session-secret')
  const fresh = randomBytes(48).toString('base64url')
  try {
    await writeFile(path, fresh, { flag: 'wx', mode: 0o600 })
    return fresh
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    return readFile(path, 'utf8')
  }
}
