import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { storageFault } from '../../kernel/db/data-folder.ts'
import { syncFolder } from '../../kernel/db/durable.ts'
import { UnusableArchive } from './archive.ts'
import { type ArchiveRead, readArchive } from './read-archive.ts'
import { openFile, sealFile } from './sealed-file.ts'

/** File mode of a backup, which contains everybody's data. */
const OWNER_ONLY = 0o600

/**
 * Writes frames into a new file, compressed and, with a key, encrypted, and reads it again to its end. The file gets its name only once it is
 * complete and on disk.
 *
 * @throws Error with a sentence if the file exists already or cannot be written
 */
export async function saveArchive(frames: Readable, file: string, key: string | null): Promise<ArchiveRead> {
  const part = `${file}.part`
  try {
    await refuseExisting(file)
    const target = createWriteStream(part, { mode: OWNER_ONLY, flush: true })
    await pipeline(frames, createGzip(), (source) => sealFile(source as AsyncIterable<Buffer>, key), target)
    const read = await checkArchive(part, key)
    await rename(part, file)
    await syncFolder(dirname(file))
    return read
  } catch (error) {
    frames.destroy()
    await rm(part, { force: true })
    const { code, path } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && path === part)
      throw new Error(`there is no folder ${dirname(file)}: make it, or mount what belongs there`, {
        cause: error,
      })
    const reason = storageFault(error)
    throw reason === null ? error : new Error(`${file} cannot be written: ${reason}`, { cause: error })
  }
}

async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${file} is there already: choose another name`)
}

/** The frames of a backup's file. @throws UnusableArchive */
export async function* unpack(file: string, key: string | null): AsyncGenerator<Buffer> {
  const unzip = createGunzip()
  const reading = pipeline(openFile(file, key), unzip).catch((error: unknown) => {
    unzip.destroy(error as Error)
  })
  try {
    for await (const chunk of unzip) yield chunk as Buffer
    await reading
  } catch (error) {
    throw readableError(error, file)
  }
}

function readableError(error: unknown, file: string): unknown {
  const { code = '' } = (error ?? {}) as { code?: string }
  if (code === 'ENOENT') return new UnusableArchive(`there is no file ${file}`)
  if (code === 'Z_BUF_ERROR') return new UnusableArchive('the backup is cut off: part of the file is missing')
  return code.startsWith('Z_') ? new UnusableArchive('the backup is damaged: it cannot be unpacked') : error
}

/** Reads a backup to its end and discards the content. @throws UnusableArchive with a sentence if it is incomplete */
export function checkArchive(file: string, key: string | null): Promise<ArchiveRead> {
  return readArchive(unpack(file, key), {
    header: async () => undefined,
    table: () => undefined,
    rows: async () => undefined,
    file: async () => undefined,
  })
}
