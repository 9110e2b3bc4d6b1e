import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabaseFileStore } from '../../../src/server/kernel/files/database-file-store.ts'
import { createFileStore, type FileStore } from '../../../src/server/kernel/files/file-store.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let server: TestApp
let demo: Client
let folder: string

beforeAll(async () => {
  server = await openTestApp({ DATABASE_URL: 'postgres://127.0.0.1/of-the-test', RATE_LIMITS: 'on' })
  demo = await server.as('demo')
  folder = await mkdtemp(join(tmpdir(), 'crm-files-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['folder', 'database'])('a store of files in a %s', (kind) => {
  let store: FileStore
  beforeAll(() => {
    const inFolder = createFileStore(join(folder, kind))
    store = kind === 'folder' ? inFolder : createDatabaseFileStore(server.database, inFolder)
  })
  const read = async (id: string, range?: { start: number; end: number }, tenant = 'xinghai') => {
    const stream = await store.read(tenant, id, range)
    return stream === null ? null : buffer(stream)
  }
  const long = Buffer.from(Array.from({ length: 700_001 }, (_, at) => at % 251))

  it.each([
    ['of several pieces', long],
    ['of whole pieces', long.subarray(0, 512 * 1024)],
    ['with nothing in it', Buffer.alloc(0)],
  ])('gives a file %s back as it was', async (name, content) => {
    const id = `whole-${content.length}`
    await store.write('xinghai', id, content)

    expect((await read(id))?.equals(content), name).toBe(true)
  })

  it('gives any range, its ends included, also across pieces', async () => {
    await store.write('xinghai', 'ranges', long)
    const piece = 256 * 1024

    for (const [start, end] of [
      [0, 0],
      [5, 9],
      [piece - 1, piece],
      [piece, piece],
      [10, 2 * piece + 10],
      [700_000, 700_000],
    ] as const)
      expect((await read('ranges', { start, end }))?.equals(long.subarray(start, end + 1))).toBe(true)
  })

  it('has nothing of another tenant, and nothing that was removed', async () => {
    await store.write('xinghai', 'gone', PNG)

    expect(await read('gone', undefined, 'yunfan')).toBeNull()
    await store.remove('xinghai', 'gone')
    expect(await read('gone')).toBeNull()
  })
})

describe('a server with a DATABASE_URL', () => {
  it('keeps files where every other server finds them', async () => {
    const { data } = await upload(PNG)
    const elsewhere = createDatabaseFileStore(
      server.database,
      createFileStore(join(folder, 'another server')),
    )

    const found = await elsewhere.read('xinghai', data.id)

    expect(found === null ? null : (await buffer(found)).equals(PNG)).toBe(true)
    expect((await server.app.inject(data.url)).rawPayload.equals(PNG)).toBe(true)
  })

  it('still finds what its folder kept before', async () => {
    const { data } = await upload(PNG)
    const before = createFileStore(join(server.config.dataDir, 'files'))
    await createDatabaseFileStore(server.database, before).remove('xinghai', data.id)
    await before.write('xinghai', data.id, PNG)

    expect((await server.app.inject(data.url)).rawPayload.equals(PNG)).toBe(true)
  })

  it('answers by HTTP status what a browser loads by itself, and never lets that be kept', async () => {
    const missing = await server.app.inject({
      url: '/engine/web/file/none',
      headers: { authorization: demo.token },
    })
    const anybody = await server.app.inject('/engine/web/file/none')
    const stream = await server.app.inject('/mini/message/stream')

    expect([missing, anybody, stream].map((answer) => [answer.statusCode, answer.json().meta.code])).toEqual([
      [404, 404],
      [401, 401],
      [401, 401],
    ])
    expect(missing.headers['cache-control']).toBe('no-store')
  })

  it('keeps the envelope with status 200 for every other call', async () => {
    const answer = await server.with(null).get('/mini/user/detail')

    expect([answer.status, answer.meta.code]).toEqual([200, 401])
  })
})

async function upload(content: Buffer) {
  const edge = 'edge123'
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
  const answer = await server.app.inject({
    method: 'POST',
    url: '/engine/web/file/upload',
    headers: { authorization: demo.token, 'content-type': `multipart/form-data; boundary=${edge}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
  })
  return answer.json()
}
