import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { claimDueRun, type DueRun, endRun, isBackupName } from '../../flows/backup/runs.ts'
import type { Backups } from '../../kernel/config/config.ts'
import type { Database } from '../../kernel/db/database.ts'
import { makeFolder } from '../../kernel/db/durable.ts'

const FIRST_MS = 5_000
const POLL_INTERVAL_MS = 60_000

/** The build puts commands beside the server. */
const commandOf = (name: string): string =>
  fileURLToPath(new URL(`${name}.js`, import.meta.url.replace(/(?:assets\/)?[^/]*$/, '')))

interface ScheduleParts {
  readonly settings: Backups
  readonly database: Database
  readonly log: FastifyBaseLogger
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Creates the folder of backups within the data folder. Elsewhere one that is absent may be a disk that is not mounted, or a typing error: it is not
 * created, so that backups into it fail and are reported.
 */
export async function prepareBackupFolder(
  folder: string,
  dataDir: string,
  print: (line: string) => void,
): Promise<void> {
  if (folder.startsWith(join(dataDir, sep))) return makeFolder(folder, 0o700)
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere)
    print(
      `WARNING: there is no folder BACKUP_DIR ${folder}, so no backups are made: make it, or mount what belongs there`,
    )
}

/**
 * Runs backups by the settings, removes old ones, and test-restores the newest one from time to time. The commands of the operator do the work in
 * separate processes, because compressing and restoring would block the server's thread.
 *
 * @returns a function that stops it and ends a running command
 */
export function startBackups({ settings, database, log, now }: ScheduleParts): () => Promise<void> {
  let child: ChildProcess | null = null
  let isStopped = false
  let underWay: Promise<void> = Promise.resolve()

  const run = (due: DueRun): Promise<{ readonly ok: boolean; readonly message: string }> => {
    const file = join(settings.folder, due.file)
    const [name, args] = due.kind === 'backup' ? ['backup', [file]] : ['restore', [file, '--try']]
    return new Promise((done) => {
      let output = ''
      child = spawn(process.execPath, [commandOf(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output = (output + chunk.toString()).slice(-10_000)
        })
      child.once('error', (error) => done({ ok: false, message: error.message }))
      child.once('close', (code) => done({ ok: code === 0, message: output.trim() }))
    })
  }
  const look = async (): Promise<void> => {
    const due = await claimDueRun(database, settings, now())
    if (due === null || isStopped) return
    const { ok, message } = await run(due)
    child = null
    await endRun(database, due.id, { ok, message, now: now() })
    if (!ok) log.error({ kind: due.kind, file: due.file, why: message }, 'a backup failed')
    else if (due.kind === 'backup') await removeOld(settings)
  }
  const next = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      underWay = look()
        .catch((error: unknown) => log.error({ err: error }, 'a backup could not be made'))
        .then(() => {
          if (!isStopped) timer = next(POLL_INTERVAL_MS)
        })
    }, ms).unref()
  let timer = next(FIRST_MS)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    child?.kill()
    await underWay
  }
}

/** Only removes files whose names match our pattern. */
async function removeOld({ folder, keep }: Backups): Promise<void> {
  const names = (await readdir(folder)).filter(isBackupName).sort()
  for (const name of names.slice(0, Math.max(0, names.length - keep)))
    await rm(join(folder, name), { force: true })
}
