import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorText } from '../text/error-text.ts'
import type { Env } from './place.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is no folder',
  EACCES: 'may not be read by this user',
}

/** The folder of `SCHEMAS_DIR`, or the one beside the program. @throws Error with a sentence if a given one cannot be used: without pages nothing can be shown */
export function schemasDirOf({ SCHEMAS_DIR: given }: Env, root: string): string {
  if (!given) return join(root, 'schemas')
  const folder = resolve(given)
  const names = namesIn(folder, (reason) => `SCHEMAS_DIR ${folder} ${reason}`)
  const pages = names.includes('pages')
    ? namesIn(join(folder, 'pages'), (reason) => `SCHEMAS_DIR ${folder}: its pages folder ${reason}`)
    : []
  if (pages.length === 0) throw new Error(`SCHEMAS_DIR ${folder} holds no pages (pages/….json)`)
  return folder
}

function namesIn(folder: string, sentence: (reason: string) => string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Error(sentence(REASONS[code] ?? `cannot be read: ${errorText(error)}`), { cause: error })
  }
}
