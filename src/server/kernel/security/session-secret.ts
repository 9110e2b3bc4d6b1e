import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { writeDurablyOnce } from '../db/durable.ts'

/** The secret that signs sessions: supplied from outside, otherwise generated once and stored in the data folder. */
export const sessionSecret = ({ sessionSecret: given, dataDir }: Config): Promise<string> =>
  storedSecret(given, join(dataDir, 'session-secret'))

/** The same for the key that encrypts the secrets of connections. If it is lost, they must be entered again. */
export const secretsKey = ({ secretsKey: given, dataDir }: Config): Promise<string> =>
  storedSecret(given, join(dataDir, 'secrets-key'))

async function storedSecret(given: string | undefined, path: string): Promise<string> {
  if (given !== undefined) return given
  const fresh = randomBytes(48).toString('base64url')
  if (await writeDurablyOnce(path, fresh)) return fresh
  const stored = await readFile(path, 'utf8')
  if (stored.trim() === '')
    throw new Error(`${path} is empty: put the secret back that was in it, or remove the file for a new one`)
  return stored
}
