import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const WEEK_MS = 7 * 86_400_000
/** Hashed names lie here, in the build and among what is kept. */
const ASSETS = 'assets'
/** The names of the build that was served last, one a line. */
const LAST = 'last-build.txt'

/**
 * Keeps the hashed files of this build beside those of the builds before it, for a week after each was last served: an app that was opened
 * yesterday still gets the parts it loads when they are shown.
 *
 * @param build  the client as it was built
 * @param kept  a folder of this server; it may not be there
 */
export async function keepClientFiles(build: string, kept: string, now: number): Promise<void> {
  const from = join(build, ASSETS)
  const into = join(kept, ASSETS)
  await mkdir(into, { recursive: true })
  const mine = new Set(await readdir(from).catch(() => []))
  if (mine.size === 0) return
  const last = await lastBuild(kept)
  const there = new Set(await readdir(into))
  const at = new Date(now)
  for (const name of mine) {
    const path = join(into, name)
    if (!there.has(name)) {
      // Whole or not at all: a server that is killed meanwhile leaves no half of a file to the next one.
      await copyFile(join(from, name), `${path}.part`)
      await rename(`${path}.part`, path)
    }
    await utimes(path, at, at)
  }
  for (const name of there) {
    if (mine.has(name)) continue
    const path = join(into, name)
    // A server runs for months between two builds: until now these were its own.
    if (last === null || last.has(name)) await utimes(path, at, at)
    const { mtimeMs } = await stat(path)
    if (name.endsWith('.part') || now - mtimeMs > WEEK_MS) await rm(path, { force: true })
  }
  await writeFile(join(kept, LAST), [...mine].join('\n'))
}

/** Null where that was not written down yet. */
async function lastBuild(kept: string): Promise<ReadonlySet<string> | null> {
  const names = await readFile(join(kept, LAST), 'utf8').catch(() => null)
  return names === null ? null : new Set(names.split('\n'))
}
