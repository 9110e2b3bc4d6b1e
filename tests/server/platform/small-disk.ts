import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own, in memory. */
export interface SmallDisk {
  readonly folder: string
  /** Writes a file that leaves this number of megabytes; `free` removes it. */
  fill(leftMb: number): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

/** @throws Error if this user may not mount one: only root may */
export async function smallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'pipe' })
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill(leftMb) {
      const { bavail, bsize } = await statfs(folder)
      await writeFile(filler, Buffer.alloc(bavail * bsize - leftMb * 1024 * 1024))
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}
