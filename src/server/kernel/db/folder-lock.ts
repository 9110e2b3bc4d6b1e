import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../../runtime/core/json.ts'
import { newId } from './id.ts'

/** The process that holds a data folder. `started` distinguishes it from a later process with the same number. */
interface Holder {
  readonly pid: number
  readonly started: string
  readonly since: string
}

/** Other processes may start and stop meanwhile, but not for long. */
const ATTEMPTS = 5

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
 * Locks the folder for this process. The embedded database allows one process; the lock of a dead process is taken over.
 *
 * @returns releases the folder
 * @throws FolderInUse with the holder's process number
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'server.lock')
  const mine = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid),
    since: new Date().toISOString(),
  })
  await acquire(folder, path, mine)
  return () => unlock(path, mine)
}

/**
 * Takes one lock. If several processes find the lock of a dead holder, only the one that locks that very file may replace it, and only while the file
 * is still there: so nobody removes a lock that somebody else has just taken.
 */
async function acquire(folder: string, path: string, mine: string): Promise<void> {
  const lockFile = `${path}.${newId()}`
  await writeFile(lockFile, mine, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await placed(lockFile, path)) return
      const lockHolder = await readFile(path, 'utf8').catch(() => null)
      if (lockHolder === null) continue
      const holder = holderOf(lockHolder)
      if (holder !== null && isAlive(holder)) throw new FolderInUse(folder, holder)
      const leftover = `${path}.${createHash('sha256').update(lockHolder).digest('hex').slice(0, 16)}`
      await acquire(folder, leftover, mine)
      try {
        if ((await readFile(path, 'utf8').catch(() => null)) !== lockHolder) continue
        await rename(lockFile, path)
        return
      } finally {
        await rm(leftover, { force: true })
      }
    }
    throw new Error(`the lock ${path} cannot be taken`)
  } finally {
    await rm(lockFile, { force: true })
  }
}

/** A link fails if the name exists, so the file appears complete and for one process only. */
async function placed(lockFile: string, path: string): Promise<boolean> {
  try {
    await link(lockFile, path)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

async function unlock(path: string, mine: string): Promise<void> {
  const lockHolder = await readFile(path, 'utf8').catch(() => null)
  if (lockHolder === mine) await rm(path, { force: true })
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
    // EPERM: it is alive, under another user.
    if ((error as { code?: string }).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return now === '' || started === '' || now === started
}

/** When a process started, in the system's own units; '' if unknown. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
