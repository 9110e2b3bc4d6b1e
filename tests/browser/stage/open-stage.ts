import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { launchBrowser, openPhone, type Phone } from '../../support/phone.ts'
import type { StageWorld } from './ports.ts'

const OUTPUT = join(import.meta.dirname, '../../output')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
/** The policy of the product (DESIGN 8): what the views do must be allowed by it. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'"

/** A browser with the stage in it. */
export interface OpenStage {
  readonly browser: Browser
  /** A new phone on the stage; closed by the test. */
  phone(): Promise<StagePhone>
  close(): Promise<void>
}

export interface StagePhone extends Phone {
  show(document: JsonObject, world?: StageWorld): Promise<void>
  /** Draws since the last call, by key. */
  draws(): Promise<Record<string, number>>
  asked(): Promise<readonly (readonly unknown[])[]>
}

/** Builds the stage and serves it on a free port of this machine. */
export async function openStage(): Promise<OpenStage> {
  await mkdir(OUTPUT, { recursive: true })
  const built = await mkdtemp(join(OUTPUT, 'stage-'))
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: './',
    plugins: [react()],
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true, minify: false, chunkSizeWarningLimit: 5000 },
  })
  const server = await serve(built)
  const browser = await launchBrowser()
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    browser,
    phone: () => openOn(browser, `http://127.0.0.1:${port}/`),
    async close() {
      await browser.close()
      await new Promise((resolve) => server.close(resolve))
      await rm(built, { recursive: true })
    },
  }
}

async function openOn(browser: Browser, url: string): Promise<StagePhone> {
  const phone = await openPhone(browser, url)
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

function serve(built: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stage')
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    try {
      if (file.includes('..')) throw new Error('outside')
      const body = await readFile(join(built, file))
      response.writeHead(200, {
        'content-type': `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`,
        'content-security-policy': POLICY,
      })
      response.end(body)
    } catch {
      response.writeHead(file === 'favicon.ico' ? 204 : 404).end()
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
