import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeData } from '../../src/tools/remove-data.ts'
import { SHORT_LIVED } from '../../src/tools/short-lived.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The path of the built product; `PRODUCT_ROOT` names another checkout. */
export const BUILT = process.env.PRODUCT_ROOT ?? ROOT
const START_TIMEOUT_MS = 110_000
/** A data folder with demo data that new products copy instead of creating their own, which saves seconds in each file. */
const SEEDED = process.env.SEEDED_DATA ?? ''

export interface Product {
  readonly url: string
  readonly dataDir: string
  /** A copy of `schemas/` that the running server reads and watches. */
  readonly schemasDir: string
  readonly pid: number
  /** The server's output so far. */
  readonly log: () => string
  /** Stops the server; `kill` ends it abruptly. The data remain until `remove`. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
  readonly remove: () => Promise<void>
}

export interface ProductOptions {
  /** An existing data folder; default: a new one, with demo data. */
  readonly dataDir?: string
  /** Added to the copy of `schemas/`: pages that only tests need. */
  readonly extraSchemas?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the built product (`npm run build` first) on a free port, with its own data and schemas. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await newData())
  const schemasDir = await mkdtemp(join(tmpdir(), 'crm-schemas-'))
  await cp(join(ROOT, 'schemas'), schemasDir, { recursive: true })
  if (options.extraSchemas) await cp(options.extraSchemas, schemasDir, { recursive: true })
  const server = spawn(process.execPath, [...SHORT_LIVED, 'dist/server/main.js'], {
    cwd: BUILT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      SCHEMAS_DIR: schemasDir,
      RATE_LIMITS: 'off',
      ...options.env,
    },
  })
  let written = ''
  const keep = (part: Buffer) => {
    written += part.toString()
  }
  server.stdout.on('data', keep)
  server.stderr.on('data', keep)
  const url = await whenReady(server, () => written)
  return {
    url,
    dataDir,
    schemasDir,
    pid: server.pid ?? 0,
    log: () => written,
    stop: (signal = 'SIGTERM') => stop(server, signal),
    async remove() {
      await stop(server, 'SIGKILL')
      await removeData(dataDir)
      await rm(schemasDir, { recursive: true, force: true })
    },
  }
}

async function newData(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-data-'))
  if (SEEDED !== '') await cp(SEEDED, folder, { recursive: true })
  return folder
}

function whenReady(server: ChildProcess, written: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer)
      server.kill('SIGKILL')
      reject(new Error(`the product did not start: ${why}\n${written()}`))
    }
    const timer = setTimeout(() => fail('no ready line in time'), START_TIMEOUT_MS)
    const look = () => {
      const ready = /ready (http:\S+)/.exec(written())
      if (!ready?.[1]) return
      clearTimeout(timer)
      resolve(ready[1])
    }
    server.stdout?.on('data', look)
    server.on('exit', (code) => fail(`it ended with ${code}`))
  })
}

async function stop(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.kill('SIGKILL'), 10_000)
    server.on('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    server.kill(signal)
  })
}
