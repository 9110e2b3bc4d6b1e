import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isObject, type Json } from '../../../../runtime/core/json.ts'

/** Pages, each with the names it may use, that this build of the server has judged before and found nothing against. */
export interface Faultless {
  has(key: string): boolean
  add(key: string): void
  /** Writes down those that were asked for, where others are written there. */
  keep(): Promise<void>
}

/**
 * Judging the hundred pages of the product is a good part of a start, and says the same each time: a start believes the one before, as long
 * as it was the same build to the byte.
 *
 * @param file  where it is kept; what cannot be read there was never judged
 */
export async function openFaultless(file: string, build: string): Promise<Faultless> {
  const before = await keysIn(file, build)
  const now = new Set<string>()
  return {
    has(key) {
      if (!before.has(key)) return false
      now.add(key)
      return true
    },
    add: (key) => void now.add(key),
    async keep() {
      if (now.size === before.size && [...now].every((key) => before.has(key))) return
      await writeFile(`${file}.new`, JSON.stringify({ build, keys: [...now] }))
      await rename(`${file}.new`, file)
    },
  }
}

async function keysIn(file: string, build: string): Promise<ReadonlySet<string>> {
  try {
    const kept: Json = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(kept) && kept.build === build && Array.isArray(kept.keys))
      return new Set(kept.keys.map(String))
  } catch {
    // Never kept, or not to be read: all are judged.
  }
  return new Set()
}

/**
 * What a build is, to the byte: its first file names all others by what is in them.
 *
 * @param url  of a module of it
 * @returns null for a server that runs from its sources
 */
export async function buildOf(url: string): Promise<string | null> {
  if (!url.endsWith('/main.js')) return null
  return createHash('sha256')
    .update(await readFile(fileURLToPath(url)))
    .digest('base64url')
}
