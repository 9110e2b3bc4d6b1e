import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp } from '../../../src/server/flows/backup/back-up.ts'
import { filesThere } from '../../../src/server/flows/backup/files-there.ts'
import { restoreInto } from '../../../src/server/flows/backup/restore-into.ts'
import { saveArchive } from '../../../src/server/flows/backup/save.ts'
import { moveFiles } from '../../../src/server/flows/files/move-files.ts'
import { readStorage } from '../../../src/server/kernel/config/storage.ts'
import { createDatabaseFileStore } from '../../../src/server/kernel/files/database-file-store.ts'
import { filesAt, filesIn } from '../../../src/server/kernel/files/file-places.ts'
import { createFileStore, type FileStore, NOWHERE } from '../../../src/server/kernel/files/file-store.ts'
import { createS3FileStore } from '../../../src/server/kernel/files/s3-file-store.ts'
import { long } from '../../support/long.ts'
import { type ObjectStorage, startObjectStorage } from '../../support/object-storage.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let server: TestApp
let demo: Client
let folder: string
let storage: ObjectStorage

beforeAll(async () => {
  storage = await startObjectStorage()
  server = await openTestApp({ DATABASE_URL: 'postgres://127.0.0.1/of-the-test', RATE_LIMITS: 'on' })
  demo = await server.as('demo')
  folder = await mkdtemp(join(tmpdir(), 'crm-files-'))
})
afterAll(async () => {
  await server.close()
  await storage.remove()
  await rm(folder, { recursive: true, force: true })
})

/** The running storage server. */
function placeOf(url = storage.url) {
  const place = readStorage(url)
  if (place === null) throw new Error('no storage')
  return place
}

describe.each(['folder', 'database', 's3'])('a store of files in a %s', (kind) => {
  let store: FileStore
  beforeAll(() => {
    const inFolder = createFileStore(join(folder, kind))
    if (kind === 'folder') store = inFolder
    else if (kind === 'database') store = createDatabaseFileStore(server.database, inFolder)
    else store = createS3FileStore(placeOf(), inFolder)
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
  ])('returns a file %s unchanged', async (name, content) => {
    const id = `whole-${content.length}`
    await store.write('xinghai', id, content)

    expect((await read(id))?.equals(content), name).toBe(true)
  })

  it('returns any range, including both ends, even across pieces', async () => {
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

  it('has no files of another tenant, and no deleted files', async () => {
    await store.write('xinghai', 'gone', PNG)

    expect(await read('gone', undefined, 'yunfan')).toBeNull()
    expect([await store.has('yunfan', 'gone'), await store.has('xinghai', 'gone')]).toEqual([false, true])
    await store.remove('xinghai', 'gone')
    expect(await read('gone')).toBeNull()
    expect(await store.has('xinghai', 'gone')).toBe(false)
  })
})

describe('a server with an object storage', () => {
  let stored: TestApp
  let person: Client
  const send = async (content: Buffer) => {
    const boundary = 'b0undary'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
    return stored.app.inject({
      method: 'POST',
      url: '/engine/web/file/upload',
      headers: { authorization: person.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    })
  }
  beforeAll(async () => {
    stored = await openTestApp({ STORAGE_URL: storage.url })
    person = await stored.as('demo')
  })
  afterAll(() => stored.close())

  it('stores uploads there, returns them, and answers with a retry while it is unavailable', async () => {
    const { data } = (await send(PNG)).json()
    const found = await stored.app.inject(data.url)
    const part = await stored.app.inject({ url: data.url, headers: { range: 'bytes=1-3' } })
    await storage.stop()
    const away = [await send(PNG), await stored.app.inject(data.url)]
    await storage.start()
    const back = await stored.app.inject(data.url)

    expect(await filesIn('s3', stored.config, stored.database).has('xinghai', data.id)).toBe(true)
    expect(found.rawPayload.equals(PNG)).toBe(true)
    expect([part.statusCode, part.rawPayload.toString()]).toEqual([206, 'PNG'])
    expect(away.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
      [503, '3'],
      [503, '3'],
    ])
    expect(back.rawPayload.equals(PNG)).toBe(true)
  })

  it('has its files moved to the database, to the folder and back, even if a move is interrupted', async () => {
    const urls: string[] = []
    for (let n = 0; n < 5; n += 1)
      urls.push((await send(Buffer.concat([PNG, Buffer.from(`moved ${n}`)]))).json().data.url)
    const config = { ...stored.config, databaseUrl: 'postgres://127.0.0.1/of-the-test' }
    const whole = async () => {
      const answers = await Promise.all(urls.map((url) => stored.app.inject(url)))
      return answers.every(({ rawPayload }, n) => rawPayload.toString().endsWith(`moved ${n}`))
    }
    const move = (to: 'folder' | 'database' | 's3') =>
      moveFiles(stored.database, config, { to, print: () => undefined })

    const first = await move('database')
    const seen = [await whole()]
    const second = await move('folder')
    seen.push(await whole())
    // As after an interrupted move back: one file is copied and exists in both.
    const [url = ''] = urls
    const id = /file\/([^?]+)/.exec(url)?.[1] ?? ''
    await filesIn('s3', config, stored.database).write(
      'xinghai',
      id,
      Buffer.concat([PNG, Buffer.from('moved 0')]),
    )
    const third = await move('s3')
    seen.push(await whole())

    expect([first, second]).toEqual([1, 2].map(() => ({ moved: 6, there: 0, missing: [], damaged: [] })))
    expect(third).toEqual({ moved: 5, there: 1, missing: [], damaged: [] })
    expect(seen).toEqual([true, true, true])
    expect(await filesIn('folder', config, stored.database).has('xinghai', id)).toBe(false)
  })

  it('names the fault of its setting, never the secret', () => {
    for (const wrong of ['s3://a:b@host/bucket', 'https://host/bucket', 'nonsense'])
      expect(() => readStorage(wrong)).toThrow(/^STORAGE_URL looks like https:\/\/KEY:SECRET@/)
    expect(readStorage('https://k%2Fy:s%2Ft@b.oss.example.com/deep/er/?region=cn-1')).toEqual({
      base: 'https://b.oss.example.com/deep/er',
      accessKeyId: 'k/y',
      secretAccessKey: 's/t',
      region: 'cn-1',
    })
  })
})

describe('a backup of a server with an object storage', () => {
  let stored: TestApp
  let id: string
  beforeAll(async () => {
    stored = await openTestApp({ STORAGE_URL: storage.url })
    const person = await stored.as('demo')
    const ids = [
      await uploadedBytes(stored, person, PNG, 'a.png'),
      await uploadedBytes(stored, person, PNG, 'b.png'),
    ]
    id = String(ids[0])
    // A deleted file whose content is gone is not reported as missing.
    await stored.database.system((trx) =>
      sql`update file set deleted_at = now() where id = ${ids[1]}`.execute(trx),
    )
    await filesIn('s3', stored.config, stored.database).remove('xinghai', String(ids[1]))
  })
  afterAll(() => stored.close())

  async function saved(withFiles: boolean) {
    const { config, database } = stored
    const file = join(folder, `${withFiles ? 'whole' : 'rows'}.backup`)
    const out = new PassThrough()
    const given = backUp(
      { database, files: withFiles ? filesAt(config, database) : null, secrets: null, now: Date.now },
      out,
    )
    const read = await saveArchive(out, file, null)
    await given
    return { ...read, file }
  }
  const hasIt = async (store: FileStore) => {
    const stream = await store.read('xinghai', id)
    return stream !== null && (await buffer(stream)).equals(PNG)
  }

  it('contains its files, and a restore puts them into the store of the new place', long, async () => {
    const { file, summary } = await saved(true)
    const other = placeOf(storage.url.replace('/files?', '/restored?'))
    const into = { ...stored.config, databaseUrl: undefined, migrateUrl: undefined }
    const from = { file, key: null, print: () => undefined }

    await restoreInto({ ...into, dataDir: join(folder, 'plain'), storage: null }, from)
    await restoreInto({ ...into, dataDir: join(folder, 'stored'), storage: other }, from)

    expect(summary.files).toEqual({ count: 1, bytes: PNG.length, missing: 0, damaged: 0 })
    expect(await hasIt(createFileStore(join(folder, 'plain/files')))).toBe(true)
    expect(await hasIt(createS3FileStore(other, NOWHERE))).toBe(true)
    expect(await createFileStore(join(folder, 'stored/files')).has('xinghai', id)).toBe(false)
  })

  it('without files is restored with a count of the existing ones', async () => {
    const { summary } = await saved(false)
    const { config, database } = stored

    expect(summary.files.count).toBe(0)
    expect(await filesThere(database, filesAt(config, database))).toEqual({ there: 1, missing: 0 })
    const nothing = createFileStore(join(folder, 'nothing'))
    expect(await filesThere(database, nothing)).toEqual({ there: 0, missing: 1 })
  })
})

describe('a server with a DATABASE_URL', () => {
  it('stores files where every other server finds them', async () => {
    const { data } = await upload(PNG)
    const elsewhere = createDatabaseFileStore(
      server.database,
      createFileStore(join(folder, 'another server')),
    )

    const found = await elsewhere.read('xinghai', data.id)

    expect(found === null ? null : (await buffer(found)).equals(PNG)).toBe(true)
    expect((await server.app.inject(data.url)).rawPayload.equals(PNG)).toBe(true)
  })

  it('still finds files in its old folder', async () => {
    const { data } = await upload(PNG)
    const before = createFileStore(join(server.config.dataDir, 'files'))
    await createDatabaseFileStore(server.database, before).remove('xinghai', data.id)
    await before.write('xinghai', data.id, PNG)

    expect((await server.app.inject(data.url)).rawPayload.equals(PNG)).toBe(true)
  })

  it('finds files in the database after its DATABASE_URL was removed, and deletes them there', async () => {
    const { data } = await upload(PNG)
    const files = filesAt({ ...server.config, databaseUrl: undefined }, server.database)

    const found = await files.read('xinghai', data.id)
    expect(found === null ? null : (await buffer(found)).equals(PNG)).toBe(true)
    await files.remove('xinghai', data.id)
    expect((await server.app.inject(data.url)).statusCode).toBe(404)
  })

  it('answers requests of the browser itself by HTTP status, and never lets errors be cached', async () => {
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

  it('answers every other call with the envelope and status 200', async () => {
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
