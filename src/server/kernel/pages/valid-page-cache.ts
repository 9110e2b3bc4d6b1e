import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isObject, type Json } from '../../../../runtime/core/json.ts'

/** Pages, each with the names it may use, that this build of the server has found valid before. */
export interface ValidPageCache {
  has(key: string): boolean
  add(key: string): void
  /** Stores the requested ones, if they have changed. */
  keep(): Promise<void>
}

/**
 * Checking the hundred pages of the product takes a considerable part of a start, and always has the same result: a start reuses the result of an
 * earlier one
 * if the build is identical.
 *
 * @param file  where it is stored; without a readable file, nothing was checked
 */
export async function openValidPageCache(file: string, build: string): Promise<ValidPageCache> {
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
    const stored: Json = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(stored) && stored.build === build && Array.isArray(stored.keys))
      return new Set(stored.keys.map(String))
  } catch {
    // Missing or unreadable: all pages are checked.
  }
  return new Set()
}

/**
 * Identifies a build exactly: its first file names all others by a hash of their content.
 *
 * @param url  of a module of it
 * @returns null for a server that runs from its sources
 */
export async function buildId(url: string): Promise<string | null> {
  if (!url.endsWith('/main.js')) return null
  return createHash('sha256')
    .update(await readFile(fileURLToPath(url)))
    .digest('base64url')
}
