import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorText } from '../text/error-text.ts'
import type { Env } from './place.ts'

/** What the product is made of, by folder; without one of them nothing can be shown. */
const PARTS = ['modules', 'pages'] as const

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is no folder',
  EACCES: 'may not be read by this user',
}

/** The folder of `SCHEMAS_DIR`, or the one beside the program. @throws Error with a sentence if a given one cannot be used */
export function schemasDirOf({ SCHEMAS_DIR: given }: Env, root: string): string {
  if (!given) return join(root, 'schemas')
  const folder = resolve(given)
  namesIn(folder, (reason) => `SCHEMAS_DIR ${folder} ${reason}`, false)
  for (const part of PARTS) {
    const names = namesIn(join(folder, part), (reason) => `SCHEMAS_DIR ${folder}: its ${part} ${reason}`)
    if (names.length === 0) throw new Error(`SCHEMAS_DIR ${folder} holds no ${part} (${part}/….json)`)
  }
  return folder
}

/** The names in a folder. Where a part is absent, there are none. */
function namesIn(folder: string, sentence: (reason: string) => string, isPart = true): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && isPart) return []
    throw new Error(sentence(REASONS[code] ?? `cannot be read: ${errorText(error)}`), { cause: error })
  }
}
