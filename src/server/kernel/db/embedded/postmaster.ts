import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  type FileHandle,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { storageFault } from '../data-folder.ts'
import { syncFolder } from '../durable.ts'
import { keepRunning, WATCHER } from './keep-running.ts'
import {
  CannotRun,
  type Programs,
  packagedPrograms,
  runnable,
  type SystemUser,
  systemUser,
} from './programs.ts'

/** A PostgreSQL server of our own on a folder: only this process reaches it, and it stops when this process ends, for whatever reason. */
export interface Postmaster {
  /** Address of its database, as the owner of everything in it, by a socket in the folder. */
  readonly url: string
  stop(): Promise<void>
}

export interface PostmasterParts {
  /** Created if missing; its parent exists. One process at a time (`lockFolder`). */
  readonly folder: string
  /** The number of sessions it must allow. */
  readonly sessions: number
  /** Told that the server ended by itself and is being restarted. */
  readonly onError: (error: Error) => void
}

/** PostgreSQL's files in a data folder. */
export const POSTGRESQL = 'postgresql'

/** Contents of the folder. */
const DATA = 'db'
const LOG = 'log'
const SOCKET = '.s.PGSQL.5432'
/** Maximum length of a socket's name in bytes (`sun_path`, without the terminator). */
const SOCKET_BYTES = platform() === 'linux' ? 107 : 103

/** How long a server left by a killed process gets to stop. */
const LEFT_MS = 20_000

const run = promisify(execFile)

/** All other settings keep PostgreSQL's defaults: acknowledged writes are on disk (`fsync`, `synchronous_commit`). */
const SETTINGS = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'shared_buffers=128MB',
  // Only the server itself reads its write-ahead log.
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=32MB',
  'max_wal_size=512MB',
  'timezone=UTC',
  'log_timezone=UTC',
  // Errors of statements are already returned to whoever sent them.
  'log_min_messages=log',
  'log_checkpoints=off',
]

/**
 * Starts the server; creates its files if the folder has none.
 *
 * @throws CannotRun if PostgreSQL's programs do not run on this machine
 * @throws Error with a sentence for any other reason, which is one of the folder
 */
export async function startPostmaster(parts: PostmasterParts): Promise<Postmaster> {
  if (platform() === 'win32') throw new CannotRun('on Windows it is not started by us')
  const person = (await ownerOf(join(parts.folder, DATA))) ?? systemUser()
  const programs = await runnable(await packagedPrograms(), person)
  try {
    return await startIn(parts, programs, person)
  } catch (error) {
    await removeUnmade(parts.folder)
    const fault = storageFault(error)
    if (fault === null) throw error
    throw new Error(`${parts.folder} cannot be used: ${fault}`, { cause: error })
  }
}

async function startIn(
  { folder, sessions, onError }: PostmasterParts,
  programs: Programs,
  person: SystemUser | null,
): Promise<Postmaster> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (person !== null) await giveTo(person, folder)
  const handle = await open(folder)
  try {
    const place = placeOf(folder, handle, person)
    await make(place, programs)
    await refuseOther(folder, programs)
    await outliveLeftover(join(folder, DATA))
    // PostgreSQL would not start over it either, if another process has that number by now.
    await rm(join(folder, `${SOCKET}.lock`), { force: true })
    const log = await open(join(folder, LOG), 'w', 0o600)
    const settings = [...SETTINGS, `max_connections=${sessions}`, `unix_socket_directories=${place.name}`]
    const args = ['-D', `${place.name}/${DATA}`, ...settings.flatMap((one) => ['-c', one])]
    const start = () =>
      spawn('/bin/sh', ['-c', WATCHER, 'sh', join(programs.folder, 'postgres'), ...args], {
        ...asPerson(place, 'pipe', log.fd),
        // A signal to our process group (Ctrl C) is for us: running calls need the server until they finish.
        detached: true,
      })
    const running = await keepRunning({ start, url: urlIn(place.host), log: join(folder, LOG), onError })
    return {
      url: urlIn(place.host),
      async stop() {
        await running.stop()
        await log.close()
        await handle.close()
      },
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

interface Place {
  readonly folder: string
  readonly handle: FileHandle
  readonly person: SystemUser | null
  /** The path of the folder as passed to the programs. */
  readonly name: string
  /** The path of the socket's folder as we use it. */
  readonly host: string
}

/**
 * The user who runs the programs for root may not be allowed to enter a folder of root: they receive it as an open file (number 4). A path that is
 * too long for a socket is shortened in the same way.
 */
function placeOf(folder: string, handle: FileHandle, person: SystemUser | null): Place {
  const isLong = Buffer.byteLength(join(folder, SOCKET)) > SOCKET_BYTES
  const hasProc = platform() === 'linux'
  if (isLong && !hasProc)
    throw new Error(`the path of ${folder} is too long for a socket: choose a shorter DATA_DIR`)
  return {
    folder,
    handle,
    person,
    name: hasProc && (isLong || person !== null) ? '/proc/self/fd/4' : folder,
    host: isLong ? `/proc/self/fd/${handle.fd}` : folder,
  }
}

/** Options for starting a program of PostgreSQL, except file 3. */
const asPerson = ({ person, handle }: Place, third: 'ignore' | 'pipe', out: 'pipe' | number) => ({
  ...person,
  cwd: '/',
  env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  stdio: ['ignore' as const, out, out, third, handle.fd],
})

/** The address of the database in a folder whose path is short enough for a socket: the database that every server has. */
export const urlIn = (folder: string): string =>
  `postgres://postgres@localhost:5432/postgres?host=${encodeURIComponent(folder)}`

/** The user of an existing server, if we are root; null otherwise. */
async function ownerOf(data: string): Promise<SystemUser | null> {
  const found = process.getuid?.() === 0 ? await stat(data).catch(() => null) : null
  return found === null || found.uid === 0 ? null : { uid: found.uid, gid: found.gid }
}

/** Files copied by root belong to root, but PostgreSQL reads only files of the user who runs it. */
async function giveTo({ uid, gid }: SystemUser, folder: string): Promise<void> {
  const data = await stat(join(folder, DATA)).catch(() => null)
  const names = data?.uid === 0 ? await readdir(folder, { recursive: true }) : []
  for (const name of ['', ...names]) await lchown(join(folder, name), uid, gid)
}

/** Where the server's files are created. */
const MAKING = `${DATA}.new`

/** Removes what a failed start has left of files that were to be created, and the folder if it holds nothing else. */
async function removeUnmade(folder: string): Promise<void> {
  await rm(join(folder, MAKING), { recursive: true, force: true }).catch(() => undefined)
  await rmdir(folder).catch(() => undefined)
}

/** Creates the server's files in a temporary folder, so that existing files are always complete. */
async function make(place: Place, programs: Programs): Promise<void> {
  if (await isThere(join(place.folder, DATA, 'PG_VERSION'))) return
  await rm(join(place.folder, MAKING), { recursive: true, force: true })
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [
    '-D',
    `${place.name}/${MAKING}`,
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--wal-segsize=4',
    ...locale,
  ]
  await ended(spawn(join(programs.folder, 'initdb'), args, asPerson(place, 'ignore', 'pipe')))
  await rename(join(place.folder, MAKING), join(place.folder, DATA))
  for (const folder of [place.folder, dirname(place.folder)]) await syncFolder(folder)
}

/** @throws Error if the files belong to another version of PostgreSQL */
async function refuseOther(folder: string, { major }: Programs): Promise<void> {
  const version = (await readFile(join(folder, DATA, 'PG_VERSION'), 'utf8')).trim()
  if (version === String(major)) return
  throw new Error(
    `${folder} was made by PostgreSQL ${version}, this release has ${major}: back it up with the release that made it, restore with this one`,
  )
}

/** Removes a folder in which a server may still be stopping whose process was killed. */
export async function removeLeftover(dataDir: string): Promise<void> {
  await outliveLeftover(join(dataDir, POSTGRESQL, DATA))
  await rm(dataDir, { recursive: true, force: true })
}

/**
 * If our process is killed, its PostgreSQL stops by itself; it may still be stopping. A lock file with a number that another process has by now is
 * removed, because PostgreSQL would not start over it.
 */
async function outliveLeftover(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid')
  const end = performance.now() + LEFT_MS
  for (;;) {
    const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0])
    if (pid === 0 || !isAlive(pid)) return
    if (!(await worksIn(pid, data))) return rm(path, { force: true })
    if (performance.now() > end)
      throw new Error(
        `the database of a server that was killed does not end: end process ${pid}, then start again`,
      )
    await pause(20)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** PostgreSQL's working directory is the folder of its data; where that is unknown, the process name must do. */
async function worksIn(pid: number, data: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  if (folder !== null) return folder === (await realpath(data))
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

/** @throws Error with the output of a program that failed */
function ended(child: ChildProcess): Promise<void> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000)
    })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(output.trim()))))
  })
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
