import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type Generated, sql } from 'kysely'
import type { Database } from '../db/database.ts'

declare module '../db/tables.ts' {
  interface Tables {
    last_good: { name: string; digest: string; content: Uint8Array; saved_at: Generated<Date> }
  }
}

/** The files that make up one page or module, by their paths from the project's root. */
export type Parts = ReadonlyMap<string, string>

/** The last valid versions, preserved across restarts of the server. */
export interface LastGood {
  /** By page or module; empty before the first save. */
  read(): Promise<ReadonlyMap<string, Parts>>
  /** Replaces the stored versions; does not write if they are unchanged. */
  keep(good: ReadonlyMap<string, Parts>): Promise<void>
}

/** Stores each file once, however many pages use it. */
interface Content {
  readonly files: Readonly<Record<string, string>>
  readonly parts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** @param name  of the collection: one row */
export function createLastGood(database: Database, name: string): LastGood {
  let stored: string | null = null
  return {
    async read() {
      const row = await database.system((trx) =>
        trx.selectFrom('last_good').select('content').where('name', '=', name).executeTakeFirst(),
      )
      if (row === undefined) return new Map()
      const { files, parts } = JSON.parse((await unpack(row.content)).toString('utf8')) as Content
      const textsOf = (hashes: Readonly<Record<string, string>>): Parts =>
        new Map(Object.entries(hashes).map(([file, hash]) => [file, files[hash] ?? '']))
      return new Map(Object.entries(parts).map(([partName, hashes]) => [partName, textsOf(hashes)]))
    },
    async keep(good) {
      const content = contentOf(good)
      const digest = hashOf(JSON.stringify(content.parts))
      if (digest === stored) return
      await database.system(async (trx) => {
        const known = trx.selectFrom('last_good').select('name')
        const same = await known.where('name', '=', name).where('digest', '=', digest).executeTakeFirst()
        if (same !== undefined) return
        const packed = await pack(JSON.stringify(content), { level: 1 })
        await trx
          .insertInto('last_good')
          .values({ name, digest, content: packed })
          .onConflict((row) =>
            row.column('name').doUpdateSet({ digest, content: packed, saved_at: sql`now()` }),
          )
          .execute()
      })
      stored = digest
    },
  }
}

function contentOf(good: ReadonlyMap<string, Parts>): Content {
  const hashes = new Map<string, string>()
  const files: Record<string, string> = {}
  const keep = (text: string): string => {
    const hash = hashes.get(text) ?? hashOf(text)
    hashes.set(text, hash)
    files[hash] = text
    return hash
  }
  const parts = Object.fromEntries(
    [...good].map(([name, texts]) => [
      name,
      Object.fromEntries([...texts].map(([file, text]) => [file, keep(text)])),
    ]),
  )
  return { files, parts }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27)
