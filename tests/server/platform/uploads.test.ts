import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../../runtime/core/engine/uploads.ts'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { FileHandle, UploadRequest } from '../../../runtime/core/ports.ts'
import { createUploader, type Transfer } from '../../../runtime/net/upload.ts'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const script = createInProcessScript(nodeQuickJs, parseForScripts)

let server: TestApp
let demo: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
})
afterAll(() => server.close())

/** One connection of the whole app to the server's upload route; the network can be cut. */
function aWire() {
  const state = { lost: false, open: 0, most: 0, seen: [] as UploadRequest[] }
  const transfer: Transfer = async (request) => {
    state.open += 1
    state.most = Math.max(state.most, state.open)
    state.seen.push(request)
    try {
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (state.lost) return { ok: false, error: failure('NETWORK') }
      return await send(request)
    } finally {
      state.open -= 1
    }
  }
  return { state, uploader: createUploader(transfer) }
}

async function send({ url, file, headers = {}, data = {} }: UploadRequest): ReturnType<Transfer> {
  const edge = 'edge123'
  const parts = Object.entries(data).map(
    ([name, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.type}\r\n\r\n`
  const response = await server.app.inject({
    method: 'POST',
    url,
    headers: {
      ...headers,
      authorization: demo.token,
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload: Buffer.concat([
      Buffer.from(parts.join('')),
      Buffer.from(head),
      file.handle as Buffer,
      Buffer.from(`\r\n--${edge}--\r\n`),
    ]),
  })
  const answer: { readonly meta: { readonly code: number }; readonly data: Json } = response.json()
  return response.statusCode < 300
    ? { ok: true, value: { status: response.statusCode, headers: {}, data: answer as unknown as Json } }
    : { ok: false, error: failure('HTTP_STATUS', { status: response.statusCode }) }
}

function open(options: JsonObject, upload: Transfer) {
  const world = memoryWorld({ script })
  const engine = createEngine({
    page: aPage([
      aWidget('picture-upload', 'f', { fileTypes: ['png'], limit: 9, ...options }),
      aWidget('textarea', 'log', { defaultValue: '' }),
    ]),
    registry,
    ports: { ...world.ports, http: { ...world.ports.http, upload } },
  })
  const entries = () => (engine.node('f').options.uploads ?? []) as readonly JsonObject[]
  return { engine, world, entries, files: () => engine.values().f as readonly JsonObject[] }
}

const aPng = (name: string, size = PNG.length): FileHandle => ({ name, size, type: 'image/png', handle: PNG })
const tell = (what: string) => `var l = this.getWidgetRef('log'); l.setValue(l.getValue() + ${what} + '\\n');`
const HOOKS: JsonObject = {
  onCreated: "this.setUploadHeader('x-page', 'demo'); this.setUploadData('folder', 'visits')",
  onBeforeUpload: `${tell("'before ' + file.name")} if (file.name === 'secret.png') return false; return { name: 'kept-' + file.name }`,
  onUploadSuccess: `${tell("'success ' + result.data.ext + ' ' + fileList.length")} return { name: file.name, url: result.data.url, mine: true }`,
  onUploadError: tell("'error ' + file.name"),
  onFileRemove: tell("'removed ' + file.name + ' ' + fileList.length"),
}

it('hooks in QuickJS decide about files for the real server: checks, veto, name, record, failure, retry, removal', async () => {
  const { state, uploader } = aWire()
  const { engine, world, entries, files } = open(HOOKS, uploader.upload)
  await engine.pageEvent('show')
  await expect.poll(() => engine.node('f').options.uploadHeaders).toEqual({ 'x-page': 'demo' })

  await uploadsOf(engine).add(
    'f',
    Array.from({ length: 10 }, (_, i) => aPng(`${i}.txt`, 9e9)),
  )
  await uploadsOf(engine).add('f', [aPng('a.txt', 9e9)])
  await uploadsOf(engine).add('f', [aPng('a.png', 9e9)])
  expect(world.toasts.map(({ text }) => text)).toEqual([
    'upload.tooMany{"limit":9}',
    'upload.wrongType',
    'upload.tooLarge{"size":5}',
  ])
  expect(state.seen).toEqual([])

  await uploadsOf(engine).add('f', [aPng('secret.png'), aPng('a.png')])
  expect(files()).toEqual([
    { name: 'kept-a.png', url: expect.stringContaining('/engine/web/file/'), mine: true },
  ])
  expect(state.seen).toHaveLength(1)
  expect(state.seen[0]).toMatchObject({ headers: { 'x-page': 'demo' }, data: { folder: 'visits' } })
  const stored = await server.app.inject(String(files()[0]?.url))
  expect(stored.rawPayload.equals(PNG)).toBe(true)

  state.lost = true
  await uploadsOf(engine).add('f', [aPng('b.png')])
  expect(entries()).toMatchObject([{ name: 'b.png', status: 'error' }])
  state.lost = false
  await uploadsOf(engine).retry('f', String(entries()[0]?.id))
  expect(files().map(({ name }) => name)).toEqual(['kept-a.png', 'kept-b.png'])

  uploadsOf(engine).remove('f', String(files()[0]?.url))
  await expect
    .poll(() => String(engine.values().log).trim().split('\n'))
    .toEqual([
      'before secret.png',
      'before a.png',
      'success png 0',
      'before b.png',
      'error kept-b.png',
      'success png 1',
      'removed kept-a.png 1',
    ])
  engine.dispose()
})

it('at most five uploads run over all pages of the app', async () => {
  const { state, uploader } = aWire()
  const pages = [open({}, uploader.upload), open({}, uploader.upload)]

  await Promise.all(
    pages.map(({ engine }, at) =>
      uploadsOf(engine).add(
        'f',
        Array.from({ length: 9 }, (_, i) => aPng(`${at}-${i}.png`)),
      ),
    ),
  )

  expect(state.most).toBe(5)
  expect(pages.map(({ files }) => files().length)).toEqual([9, 9])
  for (const { engine } of pages) engine.dispose()
})
