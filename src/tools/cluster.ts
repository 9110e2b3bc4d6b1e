import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Programs,
  packagedPrograms,
  runnable,
  systemUser,
} from '../server/kernel/db/embedded/programs.ts'
import { freePort } from './free-port.ts'

/** A temporary PostgreSQL server on 127.0.0.1. */
export interface Cluster {
  /** URL of its database `postgres`, as a superuser. */
  readonly url: string
  /** The same through its socket, if it has one: a statement costs half as much there as over 127.0.0.1. */
  readonly socketUrl: string
  /** The source of its programs, for logs. */
  readonly from: string
  /** Starts it again after `stop`, on the same port. */
  start(): Promise<void>
  /** `fast` terminates sessions; `immediate` simulates a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Starts a standby that follows it; for that this one is restarted, which terminates sessions. */
  follow(): Promise<Cluster>
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

const PLACE = '/usr/lib/postgresql'
const OLDEST = 15
const READY_MS = 60_000
/** Small, since several may run in parallel. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB']
/** Settings for data that need not survive a crash or power loss. */
const HASTY = [...SETTINGS, 'synchronous_commit=off']

export interface ClusterOptions {
  /** Committed data survives a stop with `immediate`, but no power loss. */
  readonly isDurable?: boolean
}

/**
 * Creates and starts a cluster with the machine's own PostgreSQL (15 or later) or with the one installed by npm.
 *
 * @throws Error with a message if neither runs here
 */
export async function startCluster({ isDurable = false }: ClusterOptions = {}): Promise<Cluster> {
  return inFolder((folder) => clusterIn(folder, isDurable ? SETTINGS : HASTY))
}

async function inFolder(make: (folder: string) => Promise<Cluster>): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-pg-'))
  try {
    return await make(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** @param leader  the cluster to follow, whose files are copied */
async function clusterIn(
  folder: string,
  settings: readonly string[],
  leader?: { readonly data: string; readonly url: string },
): Promise<Cluster> {
  const person = systemUser()
  if (person !== null) await chown(folder, person.uid, person.gid)
  const { folder: bin, major } = await runnable(ownPrograms() ?? (await packagedPrograms()), person)
  const data = join(folder, 'db')
  // Exists on every machine, whatever locales are installed.
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']
  if (leader !== undefined) {
    execFileSync('cp', ['-a', leader.data, data])
    await writeFile(join(data, 'standby.signal'), '')
    if (person !== null) await chown(join(data, 'standby.signal'), person.uid, person.gid)
  } else
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N', ...locale],
      {
        ...person,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
  const port = await freePort()
  const hasSockets = platform() !== 'win32'
  const follows = leader === undefined ? [] : [`primary_conninfo=${leader.url}`]
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', hasSockets ? folder : '']
  let running: ChildProcess | null = null
  const cluster: Cluster = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    socketUrl: `postgres://postgres@${hasSockets ? encodeURIComponent(folder) : '127.0.0.1'}:${port}/postgres`,
    from: bin,
    async start() {
      running = spawn(
        join(bin, 'postgres'),
        [...args, ...[...settings, ...follows].flatMap((one) => ['-c', one])],
        {
          ...person,
          cwd: folder,
          stdio: 'ignore',
        },
      )
      await answering(port, running)
    },
    async stop(how = 'fast') {
      const child = running
      running = null
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const over = new Promise((done) => child.once('exit', done))
      child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await over
    },
    async follow() {
      // Its files must not change while they are copied.
      await cluster.stop()
      const standby = await inFolder((place) => clusterIn(place, settings, { data, url: cluster.url }))
      await cluster.start()
      return standby
    },
    async remove() {
      await cluster.stop('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
  await cluster.start()
  return cluster
}

/** The newest version installed by Debian's packages. */
function ownPrograms(): Programs | null {
  if (!existsSync(PLACE)) return null
  const found = readdirSync(PLACE)
    .map((name) => ({ folder: join(PLACE, name, 'bin'), major: Number(name) }))
    .filter(({ folder, major }) => major >= OLDEST && existsSync(join(folder, 'initdb')))
    .sort((one, other) => other.major - one.major)
  return found[0] ?? null
}

/** Waits until a session can begin. */
async function answering(port: number, child: ChildProcess): Promise<void> {
  const end = Date.now() + READY_MS
  while (!(await isAnswering(port))) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    if (Date.now() > end) throw new Error('PostgreSQL did not start in time')
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** The first message of a session; the answer is `R` once the server is up, `E` while it starts. */
const HELLO = startupMessage({ user: 'postgres', database: 'postgres' })

function startupMessage(settings: Readonly<Record<string, string>>): Buffer {
  const words = Object.entries(settings).flat()
  const body = Buffer.from(`${words.map((word) => `${word}\0`).join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + body.length, 0)
  head.writeInt32BE(196_608, 4) // protocol 3.0
  return Buffer.concat([head, body])
}

function isAnswering(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HELLO))
    const over = (found: boolean): void => {
      socket.destroy()
      done(found)
    }
    socket.once('data', (answer: Buffer) => over(answer.toString('latin1', 0, 1) === 'R'))
    socket.once('error', () => over(false))
    socket.setTimeout(1000, () => over(false))
  })
}
