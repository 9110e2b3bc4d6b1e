import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { urlOfRunning } from '../../server/kernel/db/embedded/open-embedded.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import { type Balancer, startBalancer } from './balancer.ts'

/** An installation whose parts can be killed. */
export interface Servers {
  /** The URL for calls. */
  readonly url: () => string
  readonly databaseUrl: () => Promise<string>
  /** Kills a server as a power loss would. Another one replaces it. */
  killServer(): Promise<void>
  killDatabase(): Promise<void>
  end(): Promise<void>
}

/** Long, since the machine may be busy. */
const READY_MS = 600_000
const QUIET = { PORT: '0', SEED: 'demo', RATE_LIMITS: 'off', SHEDDING: 'off' }

/** A call with status 500: the reason is in its log line. */
const FAULT = '"a call failed"'

export interface Running {
  readonly child: ChildProcess
  readonly url: string
}

/** Number of attempts to start, as a supervisor makes: a server exits if its database is killed while it starts. */
const STARTS = 3

type Env = Readonly<Record<string, string>>

/** Starts a built server as a supervisor does. @param through  a program, with its arguments, that runs it */
export async function startOne(main: string, env: Env, through: readonly string[] = []): Promise<Running> {
  for (let times = 1; ; times += 1) {
    try {
      return await startOnce(main, env, through)
    } catch (error) {
      if (times === STARTS) throw error
    }
  }
}

/** Starts a built server and waits until it is ready. */
async function startOnce(main: string, env: Env, through: readonly string[]): Promise<Running> {
  const [program = '', ...args] = [...through, process.execPath, main]
  const child = spawn(program, args, {
    env: { ...process.env, DATABASE_URL: '', ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((done, fail) => {
    let out = ''
    const timeout = setTimeout(() => {
      child.kill('SIGKILL')
      fail(new Error('the server did not start'))
    }, READY_MS)
    child.stdout?.on('data', (part: Buffer) => {
      out += part.toString()
      const found = /^ready (\S+)$/m.exec(out)?.[1]
      if (found === undefined) return
      clearTimeout(timeout)
      done(found)
    })
    if (child.stdout !== null)
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes(FAULT)) process.stderr.write(`${line}\n`)
      })
    child.once('exit', (code) => {
      clearTimeout(timeout)
      fail(new Error(`the server ended with ${code}`))
    })
  })
  return { child, url }
}

export async function endOne({ child }: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** One server with the embedded database. @param dataDir  an empty one gets demo data */
export async function startEmbedded(
  main: string,
  dataDir: string,
  through: readonly string[] = [],
): Promise<Servers> {
  let server = await startOne(main, { DATA_DIR: dataDir }, through)
  return {
    url: () => server.url,
    databaseUrl: async () => (await urlOfRunning(dataDir)) ?? '',
    async killServer() {
      await endOne(server, 'SIGKILL')
      server = await startOne(main, { DATA_DIR: dataDir })
    },
    async killDatabase() {
      const text = await readFile(join(dataDir, 'postgresql/db/postmaster.pid'), 'utf8')
      process.kill(Number(text.split('\n')[0]), 'SIGKILL')
    },
    end: () => endOne(server, 'SIGTERM'),
  }
}

export interface SeveralParts {
  readonly main: string
  readonly count: number
  /** The proxy before them; default: {@link startBalancer}. */
  readonly before?: () => Promise<Balancer>
  /** Additional settings of each server. */
  readonly env?: Readonly<Record<string, string>>
}

/** Several servers on one PostgreSQL behind a proxy that distributes calls. */
export interface ServerCluster extends Servers {
  /** The running servers, without the proxy. */
  readonly urls: () => readonly string[]
  /** Starts one more. */
  add(): Promise<void>
}

/** @throws Error if no PostgreSQL runs here */
export async function startServerCluster({
  main,
  count,
  before = startBalancer,
  env = {},
}: SeveralParts): Promise<ServerCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-several-'))
  const cluster: Cluster = await startCluster({ isDurable: true })
  const balancer = await before()
  const running: Running[] = []
  let made = 0
  /** The start of the server that replaces a killed one; its failure is reported by the next kill or at the end. */
  let coming: Promise<unknown> = Promise.resolve()
  const add = async (): Promise<void> => {
    made += 1
    const server = await startOne(main, {
      DATABASE_URL: cluster.url,
      DATA_DIR: join(folder, String(made)),
      SESSION_SECRET: 'several-servers-share-one-secret-0123',
      TRUST_PROXY: '127.0.0.1',
      ...env,
    })
    running.push(server)
    await balancer.add(server.url)
  }
  const end = async (): Promise<void> => {
    const fault = await coming
    await Promise.all(running.map((one) => endOne(one, 'SIGTERM')))
    await balancer.close()
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
    if (fault instanceof Error) throw fault
  }
  try {
    // The first one fills the database.
    await add()
    await Promise.all(Array.from({ length: count - 1 }, add))
  } catch (error) {
    await end()
    throw error
  }
  return {
    url: () => balancer.url,
    urls: () => running.map((one) => one.url),
    databaseUrl: async () => cluster.url,
    add,
    async killServer() {
      const fault = await coming
      if (fault instanceof Error) throw fault
      const killed = running.shift()
      if (killed === undefined) return
      await endOne(killed, 'SIGKILL')
      // The proxy notices the dead server itself; the operator removes it once another one runs.
      coming = add()
        .then(() => balancer.remove(killed.url))
        .catch((error: unknown) => error)
    },
    async killDatabase() {
      await cluster.stop('immediate')
      await cluster.start()
    },
    end,
  }
}
