import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { launchChromium } from '../../src/tools/browser.ts'

/** The policies of HOOKS 1.1, as sent by the product's server. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'"
const WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** A browser page that runs real workers for a test in Node. */
export interface BrowserWorkers {
  /** A worker as `browser-script.ts` uses it; behind it a real one, with the real policy of its response. */
  createWorker(): Worker
  /** Runs code as a worker of the same policy; it answers by `postMessage`. */
  probe(code: string): Promise<unknown>
  close(): Promise<void>
}

export async function openBrowserWorkers(workerFile: URL): Promise<BrowserWorkers> {
  const scripts = new Map([['/worker.js', await readFile(workerFile, 'utf8')]])
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '')
    response.setHeader('content-security-policy', script === undefined ? PAGE_POLICY : WORKER_POLICY)
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? '<!doctype html><title>workers</title>')
  })
  acceptWebSockets(server)
  const origin = await listen(server)
  const browser = await launchChromium()
  const page = await browser.newPage()
  const proxies = new Map<number, ProxyWorker>()
  await page.exposeFunction('fromWorker', (id: number, kind: string, data: unknown) => {
    const proxy = proxies.get(id)
    if (kind === 'message') proxy?.onmessage?.({ data })
    else proxy?.onerror?.({ message: String(data), preventDefault: () => undefined })
  })
  await page.goto(origin)
  countFramesOf(page)
  await page.evaluate(installWorkers)
  return {
    createWorker() {
      const proxy = new ProxyWorker(page, proxies.size, '/worker.js')
      proxies.set(proxies.size, proxy)
      return proxy as unknown as Worker
    },
    async probe(code) {
      const url = `/probe-${scripts.size}.js`
      scripts.set(url, code)
      return page.evaluate(
        (at) =>
          new Promise((resolve) => {
            const worker = new Worker(at)
            worker.onmessage = (event) => resolve(event.data)
          }),
        url,
      )
    },
    async close() {
      await browser.close()
      server.close()
    },
  }
}

/** Sends in order: each call to the page waits for the previous one. */
class ProxyWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null
  #queue: Promise<unknown>
  readonly #page: Page
  readonly #id: number
  constructor(page: Page, id: number, url: string) {
    this.#page = page
    this.#id = id
    this.#queue = page.evaluate(([at, as]) => window.scriptWorkers.start(as, at), [url, id] as const)
  }
  postMessage(message: unknown): void {
    this.#then(() =>
      this.#page.evaluate(([id, data]) => window.scriptWorkers.send(id, data), [this.#id, message] as const),
    )
  }
  terminate(): void {
    this.#then(() => this.#page.evaluate((id) => window.scriptWorkers.end(id), this.#id))
  }
  #then(next: () => Promise<unknown>): void {
    this.#queue = this.#queue.then(next).catch(() => undefined) // the browser was closed
  }
}

declare global {
  interface Window {
    fromWorker(id: number, kind: string, data: unknown): void
    scriptWorkers: {
      start(id: number, url: string): void
      send(id: number, message: unknown): void
      end(id: number): void
    }
  }
}

/** Runs in the browser page. */
function installWorkers(): void {
  const workers = new Map<number, Worker>()
  window.scriptWorkers = {
    start(id, url) {
      const worker = new Worker(url)
      worker.onmessage = (event) => window.fromWorker(id, 'message', event.data)
      worker.onerror = (event) => window.fromWorker(id, 'error', event.message)
      workers.set(id, worker)
    },
    send: (id, message) => workers.get(id)?.postMessage(message),
    end: (id) => workers.get(id)?.terminate(),
  }
}

/** Tries to open a web socket: if it stays closed, the policy blocked it. */
function acceptWebSockets(server: Server): void {
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
  })
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    )
  })

/** The half of the port that runs in Node waits for the frames of that page. */
function countFramesOf(page: Page): void {
  const waiting = new Set<number>()
  let last = 0
  Object.assign(globalThis, {
    requestAnimationFrame(run: FrameRequestCallback): number {
      last += 1
      const id = last
      waiting.add(id)
      const drawn = page.evaluate(() => new Promise<number>((done) => requestAnimationFrame(done)))
      drawn.then((at) => waiting.delete(id) && run(at)).catch(() => waiting.delete(id))
      return id
    },
    cancelAnimationFrame: (id: number): void => void waiting.delete(id),
  })
}
