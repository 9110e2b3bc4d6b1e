import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * For a build that watches: its folder holds what this build and the one before wrote, nothing older. A server that was started from the build before
 * may still be loading its files.
 */
export function lastTwoBuilds(): Plugin {
  let before: readonly string[] = []
  return {
    name: 'last-two-builds',
    writeBundle({ dir = '' }, bundle) {
      const written = Object.keys(bundle)
      const kept = new Set([...written, ...before].flatMap((file) => [file, `${file}.map`]))
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        const file = path.slice(join(dir, '/').length).replaceAll('\\', '/')
        if (entry.isFile() && !kept.has(file)) rmSync(path, { force: true })
      }
      before = written
    },
  }
}
