import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../runtime/core/json.ts'
import { newId } from './id.ts'

/** Who holds a data folder. `started` tells a process from a later one that got the same number. */
interface Holder {
  readonly pid: number
  readonly started: string
  readonly since: string
}

/** The folder is in use. */
export class FolderInUse extends Error {
  readonly pid: number
  constructor(folder: string, holder: Holder) {
    super(
      `the data folder ${folder} is in use by process ${holder.pid} since ${holder.since}: stop it, or choose another DATA_DIR`,
    )
    this.name = 'FolderInUse'
    this.pid = holder.pid
  }
}

/**
 * Takes the folder for this process. The embedded database allows one process; a lock left by a dead one is taken over.
 *
 * @returns gives the folder back
 * @throws FolderInUse with the holder's process number
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'server.lock')
  const mine = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid),
    since: new Date().toISOString(),
  })
  const own = `${path}.${newId()}`
  await writeFile(own, mine, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await placed(own, path)) return () => unlock(path, mine)
      const held = await readFile(path, 'utf8').catch(() => null)
      const holder = holderOf(held)
      if (holder !== null && isAlive(holder)) throw new FolderInUse(folder, holder)
      if (held !== null) await removeStale(path, held)
    }
    throw new Error(`the lock ${path} cannot be taken`)
  } finally {
    await rm(own, { force: true })
  }
}

/** Linking fails when the name exists: the file appears whole, for one process only. */
async function placed(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

/** Moves the dead holder's lock away. Should another process have taken over meanwhile, its lock is put back. */
async function removeStale(path: string, seen: string): Promise<void> {
  const aside = `${path}.${newId()}`
  await rename(path, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => null)
  if (moved !== null && moved !== seen) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

async function unlock(path: string, mine: string): Promise<void> {
  const held = await readFile(path, 'utf8').catch(() => null)
  if (held === mine) await rm(path, { force: true })
}

function holderOf(text: string | null): Holder | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isObject(value) && typeof value.pid === 'number' ? (value as unknown as Holder) : null
  } catch {
    return null
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as { code?: string }).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return now === '' || started === '' || now === started
}

/** When a process started, in the system's own count; '' where that cannot be told. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
