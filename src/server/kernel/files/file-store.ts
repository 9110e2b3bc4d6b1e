import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder, partOf, syncFolder, writeLasting } from '../db/lasting.ts'

/** Where uploaded bytes lie: outside the web root, by tenant, under names of our own. */
export interface FileStore {
  /** Whole or not at all; a loss of power takes nothing away that was written. */
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
      await makeFolder(folderOf(tenantId, id))
      await writeLasting(pathOf(tenantId, id), content)
      // Somebody else may have made them a moment ago and not be done with it.
      for (const one of [join(folder, tenantId), folder, dirname(folder)]) await syncFolder(one)
    },
    async remove(tenantId, id) {
      const path = pathOf(tenantId, id)
      await rm(path, { force: true })
      await rm(partOf(path), { force: true })
    },
    has: async (tenantId, id) => (await stat(pathOf(tenantId, id)).catch(() => null)) !== null,
    async read(tenantId, id, range) {
      const path = pathOf(tenantId, id)
      const found = await stat(path).catch(() => null)
      return found === null ? null : createReadStream(path, range)
    },
  }
}
