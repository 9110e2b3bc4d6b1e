import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Linux keeps the files of this folder in memory. */
const PLACE = '/dev/shm'
/** Space and free memory that tests may use at most, with a margin, in bytes. */
const NEEDED = 10 * 2 ** 30
/** Anybody may create files, as in `/tmp`: databases belong to another user. */
const OPEN_TO_ALL = 0o1777

/**
 * Creates a folder in memory and makes it the place of temporary files (`TMPDIR`) of this process and those it starts. Tests create and delete about
 * a thousand small databases and data folders: on a disk, a quarter of the processor time goes into that. Does nothing if `TMPDIR` is already set, if
 * programs may not run from there, or if there is too little memory. The folder goes with this process.
 */
export function moveTemporaryFiles(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const folder = mkdtempSync(join(PLACE, 'crm-tests-'))
  chmodSync(folder, OPEN_TO_ALL)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === PLACE)
    if (mount === undefined || mount[3]?.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(PLACE)
    return bavail * bsize >= NEEDED && freemem() >= NEEDED
  } catch {
    return false
  }
}
