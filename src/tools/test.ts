import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './browser.ts'
import { buildStale } from './build.ts'
import { startCluster } from './cluster.ts'
import { type Count, check, counted, endAll, MODULES, type Suite, type Tried, tried } from './suite.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Leaves files out of a run of vitest. */
function exclude(glob: string): readonly string[] {
  return ['--exclude', join(ROOT, glob)]
}

/** True for a file that is that one, or in that folder (`folder/**`). */
const isIn = (file: string, glob: string): boolean =>
  glob.endsWith('/**') ? file.startsWith(glob.slice(0, -2)) : file === glob

/** Test files that put another module in a module's place: others must not share their modules. */
async function replacingModules(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true })
  const files = names.filter((one) => /\.test\.tsx?$/.test(one)).map((name) => join(folder, name))
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))
  return files.filter((_, at) => texts[at]?.includes('vi.mock('))
}

/**
 * Runs of vitest whose files share the modules of their process, which are then read once and not once per file.
 * @param name  of the reports
 * @param later  with it begin the files that share none
 */
async function suites(
  title: string,
  name: string,
  [folder, ...left]: readonly [string, ...string[]],
  { args, env }: Pick<Suite, 'args' | 'env'>,
  later: Promise<unknown>,
): Promise<readonly Tried[]> {
  const own = (await replacingModules(folder)).filter((file) => !left.some((one) => isIn(file, one)))
  const sharing = [folder, '--no-isolate', ...[...left, ...own].flatMap(exclude)]
  const shared = tried({ title, name, args: [...sharing, ...args], env })
  if (own.length === 0) return [await shared]
  const apart = {
    title: `${title}: with modules replaced`,
    name: `${name}-own`,
    args: [...own, ...args],
    env,
  }
  return Promise.all([shared, later.then(() => tried(apart))])
}

/** Demo data as the built product makes it, in a folder for the browser tests to copy. */
async function seedOnce(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-seeded-'))
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
  })
  let isReady = false
  server.stdout.on('data', (part: Buffer) => {
    if (!part.toString().includes('ready http')) return
    isReady = true
    server.kill('SIGTERM')
  })
  await new Promise((done) => server.on('exit', done))
  if (!isReady) throw new Error('it did not start')
  await dropSpareLog(join(folder, 'postgresql/db/pg_wal'))
  return folder
}

/** Takes spare files of the log away, which are half of what each copy would copy: those after the one that was written last. */
async function dropSpareLog(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  const [last] = files.sort((one, other) => other.at - one.at)
  for (const { name } of files) if (last !== undefined && name > last.name) await rm(join(folder, name))
}

/** Tests that need Chromium and the built product. */
const BROWSER = ['tests/e2e', 'tests/browser']
/** Those of them that measure time: alone, one after the other, before the machine is warm with others. */
const TIMED = ['e2e/budget', 'browser/bench', 'browser/scripts/frames', 'browser/scripts/hostile'].map(
  (name) => `tests/${name}.test.ts`,
)
const CORES = availableParallelism()
/**
 * Test files at a time. Those in the browser wait for pauses and pictures more than they reckon, and so do servers that are started and
 * ended: the three run beside each other, so that a processor that one of them leaves is used by another.
 */
const AT_A_TIME = { browser: CORES, node: Math.ceil(CORES / 2), postgresql: Math.ceil(CORES / 2) }
const atATime = (of: keyof typeof AT_A_TIME): string => `--maxWorkers=${AT_A_TIME[of]}`
/**
 * These run on PostgreSQL alone, which is what an installation runs on. PGlite, which stands in where no PostgreSQL program runs, is the same
 * engine and three times as slow: it is tried with the database itself, signing in, pages, files and a first start.
 */
const POSTGRESQL_ONLY = [
  ...['business', 'business5', 'me5', 'model', 'sheets', 'isolation', 'fuzz', 'operate'].map(
    (folder) => `${folder}/**`,
  ),
  ...[
    'openapi',
    'connections',
    'change-sets',
    'packages',
    'page-health',
    'page-import',
    'page-screens',
    'page-upgrade',
    'page-versions',
    'second-person',
    'first-password',
    'upload-limits',
  ].map((name) => `platform/${name}.test.ts`),
].map((glob) => `tests/server/${glob}`)
/** Tests that start servers and databases of their own, or look at something else: they run once, whatever server there is. */
const ON_THEIR_OWN = [
  ...[
    'process',
    'outage',
    'released',
    'backup',
    'embedded',
    'hostile-files',
    'fair-shares',
    'client-files',
    'two-users',
    'standby',
  ].map((name) => `platform/${name}`),
  'chaos',
  'forms/verdicts',
].map((name) => `tests/server/${name}.test.ts`)
/** What this machine cannot run counts as failed. */
function cannotRun(what: string, error: unknown): null {
  process.stdout.write(
    `✗ ${what} cannot run here: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  counts.push({ passed: 0, failed: 1, unsteady: [] })
  return null
}

const counts: Count[] = []
const named = process.env.TEST_DATABASE_URL || undefined
const browser = await findChromium().catch((error) => cannotRun('the browser tests', error))
const cluster =
  named === undefined ? await startCluster().catch((error) => cannotRun('PostgreSQL', error)) : null
const postgresql = named ?? cluster?.socketUrl
process.stdout.write(`browser ${browser?.path ?? 'none'}\nPostgreSQL ${cluster?.from ?? named ?? 'none'}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endAll()
    Promise.resolve(cluster?.remove()).finally(() => process.exit(1))
  })

const checks = Promise.all([
  check('types', 'tsc', ['-p', 'tsconfig.json']),
  check('types of the core', 'tsc', ['-p', 'runtime/core/tsconfig.json']),
  check('types of the cloud client', 'tsc', ['-p', 'runtime/cloud/tsconfig.json']),
  check('lint', 'biome', ['check', '.']),
  check('nothing unused', 'knip', ['--no-progress']),
])
const seeded =
  browser === null
    ? null
    : await buildStale()
        .then(seedOnce)
        .catch((error) => cannotRun('the built product', error))
counts.push(...(await checks))

const onNode = (data: string, later: Promise<unknown>): Promise<readonly Tried[]> =>
  suites(
    'unit, property, contract, architecture, schemas, server',
    'node',
    ['tests', ...BROWSER.map((folder) => `${folder}/**`), ...POSTGRESQL_ONLY],
    { args: [atATime('node')], env: { TEST_DATABASE_URL: '', SEEDED_DATA: data } },
    later,
  )
const onPostgresql = (url: string, later: Promise<unknown>): Promise<readonly Tried[]> =>
  suites(
    'server on PostgreSQL',
    'postgresql',
    ['tests/server', ...ON_THEIR_OWN],
    { args: [atATime('postgresql')], env: { TEST_DATABASE_URL: url } },
    later,
  )
const inBrowser = (data: string): Promise<Tried> =>
  tried({
    title: 'browser',
    name: 'browser',
    args: [...BROWSER, '--no-isolate', atATime('browser'), ...TIMED.flatMap(exclude)],
    env: { SEEDED_DATA: data },
  })
const budgets = (data: string): Promise<Tried> =>
  tried({
    title: 'budgets',
    name: 'budgets',
    args: [...TIMED, '--no-file-parallelism'],
    env: { SEEDED_DATA: data },
  })

const ran: Tried[] = []
if (seeded !== null) ran.push(await budgets(seeded))
// The browser's files are over first: what is left then begins with the processor that they leave.
const browsed = seeded === null ? Promise.resolve([]) : inBrowser(seeded).then((one) => [one])
const beside = await Promise.all([
  browsed,
  postgresql === undefined ? [] : onPostgresql(postgresql, browsed),
  onNode(seeded ?? '', browsed),
])
ran.push(...beside.flat())
for (const one of ran) counts.push(await counted(one))
await cluster?.remove()
for (const folder of [seeded, MODULES])
  if (folder !== null) await rm(folder, { recursive: true, force: true })

const sum = (of: (count: Count) => number): number => counts.reduce((total, count) => total + of(count), 0)
const failed = sum((count) => count.failed)
for (const test of counts.flatMap(({ unsteady }) => unsteady))
  process.stdout.write(`unsteady, passed alone: ${test}\n`)
process.stdout.write(`\n${sum(({ passed }) => passed)} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
