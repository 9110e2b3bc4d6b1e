import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '../../kernel/config/place.ts'
import { writeDurablyOnce } from '../../kernel/db/durable.ts'
import type { Secrets } from './archive.ts'

/** Secrets of a server: the variable that supplies one, and otherwise its file in `DATA_DIR`. */
const SECRETS = { 'session-secret': 'SESSION_SECRET', 'secrets-key': 'SECRETS_KEY' } as const
const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[]

/** The secrets that a server with this environment and folder uses; those not generated yet are left out. */
export async function readSecrets(env: Env, dataDir: string): Promise<Secrets> {
  const found: Record<string, string> = {}
  for (const name of NAMES) {
    const secret = env[SECRETS[name]] || (await readFile(join(dataDir, name), 'utf8').catch(() => null))
    if (secret !== null) found[name] = secret
  }
  return found
}

/** Writes restored secrets into the folder. @returns sentences for the operator: where they are, or that others are in force */
export async function writeSecrets(secrets: Secrets, env: Env, dataDir: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const name of NAMES) {
    const secret = secrets[name]
    if (secret === undefined) continue
    const given = env[SECRETS[name]]
    if (given) {
      if (given !== secret)
        lines.push(`${SECRETS[name]} is another than that of the backup; it stays in force`)
      continue
    }
    const file = join(dataDir, name)
    lines.push(
      (await writeDurablyOnce(file, secret))
        ? `${SECRETS[name]} of the backup is in ${file}, for servers that are given none`
        : `${file} is there already; it stays in force`,
    )
  }
  return lines
}
