import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** An S3 server of our own, which checks signatures. */
export interface ObjectStorage {
  /** In the format of `STORAGE_URL`. */
  readonly url: string
  /** Does not answer until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

const BUCKET = 'crm-files'

/** Starts a server with an empty bucket on 127.0.0.1. */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = await mkdtemp(join(tmpdir(), 'crm-s3-'))
  let port = 0
  let running: S3rver | null = null
  const storage: ObjectStorage = {
    get url() {
      return `http://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}/files?region=us-east-1`
    },
    async start() {
      running = new S3rver({
        address: '127.0.0.1',
        port,
        silent: true,
        directory,
        configureBuckets: [{ name: BUCKET, configs: [] }],
      })
      const address: AddressInfo = await running.run()
      port = address.port
    },
    async stop() {
      await running?.close()
      running = null
    },
    async remove() {
      await storage.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  await storage.start()
  return storage
}
