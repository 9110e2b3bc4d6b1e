import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where uploaded bytes lie: outside the web root, by tenant, under names of our own. */
export interface FileStore {
  /** Whole or not at all. */
  write(tenantId: string, id: string, content: Buffer): Promise<void>
  remove(tenantId: string, id: string): Promise<void>
  has(tenantId: string, id: string): Promise<boolean>
  /** The bytes, `start` and `end` included; null when the file is gone. */
  read(tenantId: string, id: string, range?: { start: number; end: number }): Promise<Readable | null>
}

/** Files, written aside and then renamed, in `folder/<tenant>/<last two characters of the id>/<id>`. Tenant and id come from the database, never from a path. */
export function createFileStore(folder: string): FileStore {
  const folderOf = (tenantId: string, id: string) => join(folder, tenantId, id.slice(-2))
  const pathOf = (tenantId: string, id: string) => join(folderOf(tenantId, id), id)
  return {
    async write(tenantId, id, content) {
      await mkdir(folderOf(tenantId, id), { recursive: true })
      const aside = `${pathOf(tenantId, id)}.part`
      try {
        await writeFile(aside, content, { flush: true })
        await rename(aside, pathOf(tenantId, id))
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
    },
    remove: (tenantId, id) => rm(pathOf(tenantId, id), { force: true }),
    has: async (tenantId, id) => (await stat(pathOf(tenantId, id)).catch(() => null)) !== null,
    async read(tenantId, id, range) {
      const path = pathOf(tenantId, id)
      const found = await stat(path).catch(() => null)
      return found === null ? null : createReadStream(path, range)
    },
  }
}
