import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { launchChromium } from '../../../src/tools/browser.ts'
import { buildScriptWorker } from '../../support/script-worker.ts'

const OUTPUT = join(import.meta.dirname, '../../output')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }
/** The policies of HOOKS 1.1. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'"
const WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** A browser page that opens script sessions itself, with the real worker under its real policy. */
export interface OpenScripts {
  readonly page: Page
  readonly browser: Browser
  close(): Promise<void>
}

export async function openScripts(): Promise<OpenScripts> {
  await mkdir(OUTPUT, { recursive: true })
  const built = await mkdtemp(join(OUTPUT, 'scripts-'))
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: './',
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true, chunkSizeWarningLimit: 5000 },
  })
  const worker = await readFile((await buildScriptWorker('browser')).file)
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://scripts')
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    const isWorker = pathname === '/worker.js'
    const body = isWorker ? worker : await readFile(join(built, file)).catch(() => null)
    response.writeHead(body === null ? 404 : 200, {
      'content-type': `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`,
      'content-security-policy': isWorker ? WORKER_POLICY : PAGE_POLICY,
    })
    response.end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`)
  await page.waitForFunction(() => 'hostile' in window)
  return {
    page,
    browser,
    async close() {
      await browser.close()
      await new Promise((resolve) => server.close(resolve))
      await rm(built, { recursive: true })
    },
  }
}
