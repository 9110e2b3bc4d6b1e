import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../../src/tools/browser.ts'
import { echoSockets } from '../../support/echo-socket.ts'
import type { Net } from './main.ts'

const OUTPUT = join(import.meta.dirname, '../../output')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }
const LATE = 'late 10002 sendSocketMessage:fail SocketTask.readyState is not OPEN'
const received: { fields: string; test: string | undefined }[] = []
let built = ''
let browser: Browser
let page: Page

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  if (path === '/hang') return
  if (path === '/cut') {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setTimeout(() => response.destroy(), 10)
    return
  }
  if (path === '/upload') {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    received.push({
      fields: [...text.matchAll(/name="(\w+)"/g)].map(([, name]) => name).join(),
      test: request.headers['x-test']?.toString(),
    })
    response.end(JSON.stringify({ url: '/f/1' }))
    return
  }
  const file = path === '/' ? 'index.html' : path.slice(1)
  const body = await readFile(join(built, file)).catch(() => null)
  response.writeHead(body === null ? 404 : 200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' })
  response.end(body ?? '')
})
echoSockets(server)

beforeAll(async () => {
  await mkdir(OUTPUT, { recursive: true })
  built = await mkdtemp(join(OUTPUT, 'net-'))
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: './',
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction(() => 'net' in window)
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(built, { recursive: true })
})

const upload = (url: string, bytes: number, abortAfterMs?: number, timeoutMs?: number) =>
  page.evaluate(
    ([to, size, abort, timeout]) => (window as unknown as { net: Net }).net.upload(to, size, abort, timeout),
    [url, bytes, abortAfterMs, timeoutMs] as const,
  )
const socket = (path: string, timeoutMs?: number) =>
  page.evaluate(
    ([to, ms]) =>
      (window as unknown as { net: Net }).net.socket(
        to.startsWith('/') ? `${location.origin.replace('http', 'ws')}${to}` : to,
        '你好',
        ms,
      ),
    [path, timeoutMs] as const,
  )

describe('an upload of the browser', () => {
  it('sends fields before the file, and its progress reaches 100 only with the answer', async () => {
    const outcome = await upload('/upload', 3_000_000)

    expect(outcome).toMatchObject({ data: { url: '/f/1' } })
    expect(received).toEqual([{ fields: 'kind,file', test: '1' }])
    expect(outcome.progress.at(-1)).toBe(100)
    expect(outcome.progress.slice(0, -1).every((percent) => percent <= 99)).toBe(true)
    expect(outcome.progress).toEqual([...outcome.progress].sort((a, b) => a - b))
  })

  it.each([
    ['/cut', undefined, undefined, 'NETWORK', 602001],
    ['http://127.0.0.1:1/', undefined, undefined, 'NETWORK', 602001],
    ['/hang', 50, undefined, 'ABORTED', 600003],
    ['/hang', undefined, 50, 'TIMEOUT', 5],
  ])('%s fails with its code', async (url, abortAfterMs, timeoutMs, code, status) => {
    expect(await upload(url, 10, abortAfterMs, timeoutMs)).toMatchObject({ code, status })
  })
})

describe('a web socket', () => {
  it('opens, sends, receives and closes; it cannot send before or after', async () => {
    expect(await socket('/echo')).toEqual(['early 10002', 'open', 'message 你好', 'close 1000 done', LATE])
  })

  it.each([
    ['an address that is none', 'nonsense://', ['refused 600009']],
    ['a server that hangs up', '/elsewhere', ['early 10002', 'error NETWORK 600009', 'close 1006', LATE]],
  ])('to %s fails once, with 600009', async (_, path, seen) => {
    expect(await socket(path)).toEqual(seen)
  })

  it('that does not open in time fails with 5', async () => {
    expect((await socket('/silent', 100)).slice(0, 3)).toEqual([
      'early 10002',
      'error TIMEOUT 5',
      'close 1006',
    ])
  })
})
