import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'

/** Of a file system that has nothing to do for a folder. */
const NOTHING_TO_DO: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS'])

/**
 * Writes a folder's names to the disk: that of a new or renamed file outlives a loss of power only then, whatever became of its content. One
 * without changes costs next to nothing.
 */
export async function syncFolder(folder: string): Promise<void> {
  // There folders are not opened, and names not kept back.
  if (platform() === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!NOTHING_TO_DO.has((error as { code?: string }).code)) throw error
  } finally {
    await handle.close()
  }
}

/**
 * Makes a folder with those above it that are missing, and has their names on the disk. Each is asked for by itself: of all at once Node says on
 * a full disk that a folder was not found.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, mode)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder), mode)
    return makeFolder(folder, mode)
  }
  await syncFolder(dirname(folder))
}

/** Where a file is written before it has its name; what is left there was broken off. */
export const partOf = (path: string): string => `${path}.part`

/** Writes a file, whole and on the disk under its name, or not at all. Nobody else writes it meanwhile. */
export async function writeLasting(path: string, content: Buffer): Promise<void> {
  const part = partOf(path)
  try {
    await writeFile(part, content, { flush: true })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/**
 * Writes a file as {@link writeLasting} does, for nobody but its owner, whoever else does so meanwhile.
 *
 * @returns false when there is one of that name, which stays
 */
export async function writeLastingOnce(path: string, content: string): Promise<boolean> {
  const own = partOf(`${path}.${randomUUID()}`)
  try {
    await writeFile(own, content, { mode: 0o600, flush: true })
    await link(own, path)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
  await syncFolder(dirname(path))
  return true
}
