import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { openPhone, type Phone, type PhoneLook, sharedBrowser, USUAL } from '../../support/phone.ts'
import type { StageWorld } from './ports.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
/** The product's security policy: the views must work under it. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'"

/** A stage on which phones open pages. */
export interface OpenStage {
  /** A new phone on the stage, with the usual screen unless another is given; closed with it at the latest. */
  phone(look?: PhoneLook): Promise<StagePhone>
  close(): Promise<void>
}

export interface StagePhone extends Phone {
  show(document: JsonObject, world?: StageWorld): Promise<void>
  /** Renders since the last call, by key. */
  draws(): Promise<Record<string, number>>
  asked(): Promise<readonly (readonly unknown[])[]>
}

/** The stage on a free port of this machine, and the browser of this process. */
export async function openStage(): Promise<OpenStage> {
  served ??= buildAndServe()
  const url = await served
  const browser = await sharedBrowser()
  const phones: StagePhone[] = []
  return {
    async phone(look) {
      const phone = await openOn(browser, url, look)
      phones.push(phone)
      return phone
    },
    async close() {
      for (const phone of phones) await phone.close()
    },
  }
}

/** Path of the built stage; built once for all files of a process. */
let served: Promise<string> | null = null

async function buildAndServe(): Promise<string> {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    base: './',
    plugins: [react()],
    logLevel: 'error',
    build: { write: false, minify: false, chunkSizeWarningLimit: 5000 },
  })
  const outputs = Array.isArray(result) ? result : 'output' in result ? [result] : []
  const files = new Map<string, string | Uint8Array>()
  for (const one of outputs.flatMap(({ output }) => output))
    files.set(`/${one.fileName}`, one.type === 'chunk' ? one.code : one.source)
  const server = await serve(files)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function openOn(browser: Browser, url: string, look: PhoneLook = USUAL): Promise<StagePhone> {
  const phone = await openPhone(browser, url, { look })
  const { page } = phone
  await page.waitForFunction(() => 'stage' in window)
  return {
    ...phone,
    show: (document, world) => show(page, document, world),
    draws: () => page.evaluate(() => window.stage.draws()),
    asked: () => page.evaluate(() => window.stage.asked()),
  }
}

function show(page: Page, document: JsonObject, world: StageWorld = {}): Promise<void> {
  return page.evaluate(
    (text) => {
      const [given, at] = JSON.parse(text)
      return window.stage.open(given, at)
    },
    JSON.stringify([document, world]),
  )
}

function serve(files: ReadonlyMap<string, string | Uint8Array>): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stage')
    const file = pathname === '/' ? '/index.html' : pathname
    const body = files.get(file)
    if (body === undefined) return response.writeHead(file === '/favicon.ico' ? 204 : 404).end()
    return response
      .writeHead(200, {
        'content-type': `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`,
        'content-security-policy': POLICY,
      })
      .end(body)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
