import { access, chmod, constants, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorText } from '../text/error-text.ts'
import { makeFolder } from './durable.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it is a file, not a folder',
}

/** What the errors of Node, of PostgreSQL and of PGlite's file system, which are no `Error`, have. */
interface Fault {
  readonly code?: string
  readonly message?: string
  readonly name?: string
  readonly errno?: number
}

/** "No space left on device" for PGlite's file system. */
const WASI_NOSPC = 51

/** A sentence for the operator if the data folder cannot be used; null for any other error. */
export function storageFault(error: unknown): string | null {
  const { code = '', message = '', name, errno } = (error ?? {}) as Fault
  const isFull = code === '53100' || /no space left/i.test(message)
  if (isFull || (name === 'ErrnoError' && errno === WASI_NOSPC)) return REASONS.ENOSPC ?? null
  return REASONS[code] ?? null
}

/** Faults that room on the disk mends. */
export function roomFault(error: unknown): string | null {
  const fault = storageFault(error)
  return fault === REASONS.ENOSPC || fault === REASONS.EDQUOT ? fault : null
}

/** The folder holds everybody's data, so no other account of the machine may read it. */
const OWNER_ONLY = 0o700

/** The mode of a folder that belongs to another user is left unchanged. */
async function restrictAccess(folder: string): Promise<void> {
  await chmod(folder, OWNER_ONLY).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'EPERM') throw error
  })
}

/** Marks a folder into which a backup is being restored, or whose restore was interrupted. */
export const UNFINISHED = 'restore.unfinished'

/** @throws Error for the operator if a restore into this folder was not completed */
export async function refuseUnfinished(folder: string): Promise<void> {
  const mark = join(folder, UNFINISHED)
  const isThere = await access(mark).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new Error(
      `a restore into ${folder} did not come to its end: run it again, or remove ${mark} and begin with an empty folder`,
    )
}

/** Creates the data folder and checks that it is writable. @throws Error that names the folder and the reason */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(resolve(folder), OWNER_ONLY)
    await restrictAccess(folder)
    await access(folder, constants.W_OK)
    const probe = join(folder, `.probe-${process.pid}`)
    await writeFile(probe, Buffer.alloc(4096)).finally(() => rm(probe, { force: true }))
  } catch (error) {
    const reason = storageFault(error) ?? errorText(error)
    throw new Error(`DATA_DIR ${folder} cannot be used: ${reason}`, { cause: error })
  }
}
