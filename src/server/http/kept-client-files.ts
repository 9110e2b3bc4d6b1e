import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const WEEK_MS = 7 * 86_400_000
/** Folder of files with hashed names, both in the build and in the kept files. */
const ASSETS = 'assets'
/** Lists the file names of the last served build, one per line. */
const LAST = 'last-build.txt'

/**
 * Keeps the hashed files of this build beside those of earlier builds, for a week after each was last served. An app that was opened yesterday can
 * still load parts on demand.
 *
 * @param build  folder of the client's build
 * @param folder  a folder of this server; it need not exist
 */
export async function keepClientFiles(build: string, folder: string, now: number): Promise<void> {
  const from = join(build, ASSETS)
  const into = join(folder, ASSETS)
  await mkdir(into, { recursive: true })
  const mine = new Set(await readdir(from).catch(() => []))
  if (mine.size === 0) return
  const last = await lastBuild(folder)
  const existing = new Set(await readdir(into))
  const at = new Date(now)
  for (const name of mine) {
    const path = join(into, name)
    if (!existing.has(name)) {
      // Written under a temporary name and then renamed, so that a killed server leaves no partial file.
      await copyFile(join(from, name), `${path}.part`)
      await rename(`${path}.part`, path)
    }
    await utimes(path, at, at)
  }
  for (const name of existing) {
    if (mine.has(name)) continue
    const path = join(into, name)
    // Files of the last build were in use until now, maybe for months: their week begins now.
    if (last === null || last.has(name)) await utimes(path, at, at)
    const { mtimeMs } = await stat(path)
    if (name.endsWith('.part') || now - mtimeMs > WEEK_MS) await rm(path, { force: true })
  }
  await writeFile(join(folder, LAST), [...mine].join('\n'))
}

/** Null if the list does not exist yet. */
async function lastBuild(folder: string): Promise<ReadonlySet<string> | null> {
  const names = await readFile(join(folder, LAST), 'utf8').catch(() => null)
  return names === null ? null : new Set(names.split('\n'))
}
