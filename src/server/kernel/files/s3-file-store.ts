import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { StoragePlace } from '../config/storage.ts'
import type { FileStore } from './file-store.ts'
import { StorageUnavailable } from './storage-unavailable.ts'

/** Timeout for the beginning of an answer; afterwards the storage counts as unavailable. */
const TIMEOUT_MS = 15_000
/** Retries of a call that failed temporarily, with growing delays. */
const RETRIES = 2

/**
 * Files as objects of an S3-compatible storage, under `<tenant>/<last two characters of the id>/<id>`. An object exists completely or not at
 * all; the storage compares the content with the signed checksum.
 *
 * @param older  where files were stored before
 */
export function createS3FileStore(place: StoragePlace, older: FileStore): FileStore {
  const { base, ...keys } = place
  const client = new AwsClient({ ...keys, service: 's3', retries: RETRIES, initRetryMs: 100 })
  const request = async (tenantId: string, id: string, init: RequestInit): Promise<Response> => {
    const url = `${base}/${[tenantId, id.slice(-2), id].map(encodeURIComponent).join('/')}`
    // The timeout covers only the beginning of the answer: a slow reader of a large file may take its time.
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(new Error(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    try {
      const answer = await client.fetch(url, { ...init, signal: patience.signal })
      if (answer.ok || answer.status === 404) return answer
      throw new Error(`${init.method} answers ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    } catch (error) {
      throw new StorageUnavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async write(tenantId, id, content) {
      const { status } = await request(tenantId, id, {
        method: 'PUT',
        body: new Uint8Array(content),
        headers: {
          'content-length': String(content.length),
          'x-amz-content-sha256': createHash('sha256').update(content).digest('hex'),
        },
      })
      // The answer for a missing bucket.
      if (status === 404) throw new StorageUnavailable(new Error('PUT answers 404: is there such a bucket?'))
    },
    async remove(tenantId, id) {
      await request(tenantId, id, { method: 'DELETE' })
      await older.remove(tenantId, id)
    },
    async has(tenantId, id) {
      const { status } = await request(tenantId, id, { method: 'HEAD' })
      return status !== 404 || older.has(tenantId, id)
    },
    async read(tenantId, id, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
      const answer = await request(tenantId, id, { method: 'GET', headers })
      if (answer.status === 404) {
        await answer.body?.cancel()
        return older.read(tenantId, id, range)
      }
      if (answer.body === null) return Readable.from([], { objectMode: false })
      const content = Readable.fromWeb(answer.body as ReadableStream)
      if (range === undefined) return content
      const begins = Number(/^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? 0)
      return Readable.from(cut(content, range.start - begins, range.end - range.start + 1), {
        objectMode: false,
      })
    },
  }
}

/** Cuts the requested range out of the answer: a storage may answer a range with more. */
async function* cut(content: Readable, from: number, length: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    const wanted = Buffer.from(chunk).subarray(Math.max(0, from - at), Math.max(0, from + length - at))
    at += chunk.length
    if (wanted.length > 0) yield wanted
    if (at >= from + length) return
  }
}
