import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'

/** Error codes of file systems that cannot sync a folder. */
const NOTHING_TO_DO: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS'])

/**
 * Syncs a folder's entries to disk: only then does the name of a new or renamed file survive a power failure, whatever happened to its content.
 * Without changes it costs almost nothing.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and does not delay names.
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
 * Creates a folder with missing parents, and syncs their names. Each one is created separately, because on a full disk the recursive call of Node
 * reports that a folder was not found.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const parent = dirname(folder)
  let found = await makeOne(folder, mode)
  if (found === 'no parent' && parent !== folder) {
    await makeFolder(parent, mode)
    found = await makeOne(folder, mode)
  }
  // The same is reported where the system allows no folders (/proc).
  if (found === 'no parent') throw new Error(`no folder can be made in ${parent}`)
  if (found === 'made') await syncFolder(parent)
}

async function makeOne(folder: string, mode?: number): Promise<'made' | 'there' | 'no parent'> {
  try {
    await mkdir(folder, mode)
    return 'made'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return 'there'
    if (code === 'ENOENT') return 'no parent'
    throw error
  }
}

/** Where a file is written before it gets its name; a file left there was interrupted. */
export const partOf = (path: string): string => `${path}.part`

/** Writes a file completely and durably under its name, or not at all. Nobody else writes it at the same time. */
export async function writeDurably(path: string, content: Buffer): Promise<void> {
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
 * Writes a file like {@link writeDurably}, readable by its owner only, even if others do the same concurrently.
 *
 * @returns false if a file with that name exists, which is left unchanged
 */
export async function writeDurablyOnce(path: string, content: string): Promise<boolean> {
  const tempFile = partOf(`${path}.${randomUUID()}`)
  try {
    await writeFile(tempFile, content, { mode: 0o600, flush: true })
    await link(tempFile, path)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(tempFile, { force: true })
  }
  await syncFolder(dirname(path))
  return true
}
