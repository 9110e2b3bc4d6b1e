import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { xlsxFile } from '../../support/xlsx-file.ts'
import { finished } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const MB = 1024 * 1024
/** Far below what such files took (9 s and more), far above the few milliseconds on a busy machine. */
const MAX_MS = 5_000

let server: TestApp
let manager: Client
let admin: Client
beforeAll(async () => {
  server = await openTestApp()
  manager = await server.as('manager')
  admin = await server.as('admin')
}, 120_000)
afterAll(() => server.close())

const hex = (text: string) => Buffer.from(text, 'hex')
/** 5 MB in one chunk. */
const full = (piece: Buffer | string) => Buffer.alloc(5 * MB, piece)
const headed = (head: Buffer, piece: Buffer | string) =>
  Buffer.concat([head, full(piece)]).subarray(0, 5 * MB)

/** The local header of a zip entry; flag 8: its length comes after the data. */
function zipEntry(name: string, { flag = 0, method = 0, size = 0 } = {}): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(flag, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt32LE(size, 18)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name)])
}
function contentTypesBomb(): Buffer {
  const packed = deflateRawSync(Buffer.alloc(200 * MB))
  return Buffer.concat([zipEntry('[Content_Types].xml', { method: 8, size: packed.length }), packed])
}

describe('an expensive upload', () => {
  it.each<[string, string, () => Buffer]>([
    ['an archive of 150,000 entries', 'a.zip', () => full(zipEntry('a'))],
    [
      'an archive whose entry never ends',
      'a.zip',
      () => headed(zipEntry('a', { flag: 8, method: 8 }), 'PK\x07'),
    ],
    ['an archive whose list of contents unpacks to 200 MB', 'a.xlsx', contentTypesBomb],
    ['gzip of 200 MB of nothing', 'a.gz', () => gzipSync(Buffer.alloc(200 * MB))],
    [
      'a picture of 4 thousand million pixels a side',
      'a.png',
      () => hex('89504e470d0a1a0a0000000d49484452ffffffffffffffff08060000001f15c489'),
    ],
    [
      'a picture of empty chunks',
      'a.png',
      () =>
        headed(
          hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489'),
          hex('000000007445587400000000'),
        ),
    ],
    ['a picture of heads', 'a.gif', () => full('GIF89a')],
    ['a photo that is its first mark', 'a.jpg', () => headed(hex('ffd8ffe0'), '\0')],
    ['a directory of 65,535 empty tags', 'a.tiff', () => headed(hex('49492a0008000000ffff'), '\x01')],
    ['a film of boxes of length 0', 'a.mkv', () => headed(hex('1a45dfa3'), hex('ec80'))],
    [
      'a film of objects without length',
      'a.asf',
      () =>
        headed(
          hex('3026b2758e66cf11a6d900aa0062ce6c0000000000000000000000000000'),
          hex('01'.repeat(16) + '00'.repeat(8)),
        ),
    ],
    ['a film of brands', 'a.mp4', () => headed(hex('000000186674797069736f6d'), 'isom')],
    ['music of nothing but tags', 'a.mp3', () => full(hex('49443304000000000000'))],
    ['five million commas', 'a.csv', () => full(',')],
    ['one line of quotes', 'a.csv', () => full('"')],
    ['an old office file of free sectors', 'a.doc', () => headed(hex('d0cf11e0a1b11ae1'), '\xff')],
  ])('%s is answered at once', async (_, name, make) => {
    const content = make()
    const begin = performance.now()

    const answer = await upload(name, content)

    expect(performance.now() - begin).toBeLessThan(MAX_MS)
    expect([200, 413, 415]).toContain(answer.meta.code)
  })
})

describe('an expensive file to import', () => {
  const text = (at: string) => `<c r="${at}" t="inlineStr"><is><t>x</t></is></c>`

  it.each<[string, string, () => Buffer, string]>([
    [
      'a sheet with a cell at its last corner',
      'a.xlsx',
      () => xlsxFile({ rows: `<row r="1">${text('A1')}</row><row r="1048576">${text('XFD1048576')}</row>` }),
      '一个文件最多 100 列，请删除多余的列',
    ],
    [
      'a sheet of 16 MB of blanks',
      'a.xlsx',
      () => xlsxFile({ rows: `<row><c t="inlineStr"><is><t>${' '.repeat(16 * MB)}</t></is></c></row>` }),
      '有单元格超过 32767 个字，请修改后重新上传',
    ],
    ['a csv of five million commas', 'a.csv', () => full(','), '一个文件最多 100 列，请删除多余的列'],
    [
      'a csv of one quote',
      'a.csv',
      () => headed(Buffer.from('"'), 'b\n'),
      '有单元格超过 32767 个字，请修改后重新上传',
    ],
  ])(
    '%s is refused with a message, before and in the background, and other users continue to work',
    async (_, name, make, message) => {
      const fileId = (await upload(name, make())).data?.id ?? ''

      const [preview, job, beside] = await Promise.all([
        manager.post('/mini/customer/import/preview', { fileId }),
        manager.post('/mini/customer/import/start', { fileId }).then((answer) => finished(manager, answer)),
        timed(() => admin.post('/mini/customer/list', {})),
      ])

      expect(preview.meta.message).toBe(message)
      expect(job).toMatchObject({ status: 'failed', message })
      expect(beside).toBeLessThan(MAX_MS)
    },
  )
})

describe('an expensive definition', () => {
  const field = (n: number, options: JsonObject = {}): JsonObject => ({
    type: 'input',
    id: `f${n}`,
    formItemFlag: true,
    options: { name: `f${n}`, label: 'x', ...options },
  })
  const nested = (levels: number): JsonObject =>
    Array.from({ length: levels }).reduce<JsonObject>(
      (inner, _, n) => ({ type: 'grid-col', id: `c${n}`, widgetList: [inner], options: { name: `c${n}` } }),
      field(0),
    )
  const ring = (n: number): Json => ({
    '+': Array.from({ length: 60 }, (_, k) => ({ var: `form.f${(n + k) % 200}` })),
  })

  it.each<[string, () => JsonObject]>([
    [
      'of 5,000 fields',
      () => ({ widgetList: Array.from({ length: 5_000 }, (_, n) => field(n)), formConfig: {} }),
    ],
    ['of widgets in widgets, 800 deep', () => ({ widgetList: [nested(800)], formConfig: {} })],
    [
      'of a rule that is 900 KB long',
      () => ({
        widgetList: [field(0, { visibleOn: { '+': Array.from({ length: 60_000 }, () => ({ var: 'a' })) } })],
        formConfig: {},
      }),
    ],
    [
      'of 200 fields that are reckoned from each other',
      () => ({
        widgetList: Array.from({ length: 200 }, (_, n) => field(n, { valueOn: ring(n) })),
        formConfig: {},
      }),
    ],
    [
      'of 900 KB of code',
      () => ({ widgetList: [field(0)], formConfig: { functions: `/*${'('.repeat(900_000)}*/` } }),
    ],
    [
      'of a text of places',
      () => ({ widgetList: [field(0, { label: '{{ form.f0 }}'.repeat(60_000) })], formConfig: {} }),
    ],
    [
      'of patterns that nest',
      () => ({
        widgetList: Array.from({ length: 400 }, (_, n) =>
          field(n, { validation: `/${'('.repeat(900)}a${')*'.repeat(900)}$/` }),
        ),
        formConfig: {},
      }),
    ],
  ])('%s is answered in bounded time', async (_, make) => {
    const took = await timed(async () => {
      const { meta } = await admin.post('/engine/web/page/publish', {
        path: '/pages/my/index',
        base: 0,
        document: make() as never,
      })
      expect([200, 400, 409, 413]).toContain(meta.code)
    })

    expect(took).toBeLessThan(MAX_MS)
  })

  it('is refused as a user’s picture', async () => {
    const took = await timed(() =>
      manager.post('/mini/user/update', { avatar: `data:image/png;base64,${'A'.repeat(900_000)}` }),
    )

    expect(took).toBeLessThan(MAX_MS)
    expect((await manager.get('/mini/user/profile')).body.length).toBeLessThan(10_000)
  })
})

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await act()
  return performance.now() - begin
}

async function upload(
  name: string,
  content: Buffer,
): Promise<{ meta: { code: number }; data: { id: string } | null }> {
  const edge = 'edge123'
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const { payload } = await server.app.inject({
    method: 'POST',
    url: '/engine/web/file/upload',
    headers: { authorization: manager.token, 'content-type': `multipart/form-data; boundary=${edge}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
  })
  return JSON.parse(payload)
}
