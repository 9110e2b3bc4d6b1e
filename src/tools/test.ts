import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../server/kernel/config/command.ts'
import { findChromium } from './browser.ts'
import { buildStale } from './build.ts'
import { startCluster } from './cluster.ts'
import { moveTemporaryFiles } from './memory-folder.ts'
import { SHORT_LIVED } from './short-lived.ts'
import {
  type Count,
  check,
  counted,
  endAll,
  MODULES,
  type Suite,
  type Tried,
  tried,
  WITHOUT_LONG,
} from './suite.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Excludes files from a run of vitest. */
function exclude(glob: string): readonly string[] {
  return ['--exclude', join(ROOT, glob)]
}

/** True if the pattern is the file itself or its folder (`folder/**`). */
const isIn = (file: string, glob: string): boolean =>
  glob.endsWith('/**') ? file.startsWith(glob.slice(0, -2)) : file === glob

/** Test files that mock a module: others must not share their modules. */
async function replacingModules(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true })
  const files = names.filter((name) => /\.test\.tsx?$/.test(name)).map((name) => join(folder, name))
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))
  return files.filter((_, at) => texts[at]?.includes('vi.mock('))
}

/**
 * Runs of vitest whose files share the modules of their process, which are then loaded once instead of once per file.
 * @param name  of the reports
 * @param later  resolves when the files that share no modules may start
 */
async function suites(
  title: string,
  name: string,
  [folder, ...excluded]: readonly [string, ...string[]],
  { args, env }: Pick<Suite, 'args' | 'env'>,
  later: Promise<unknown>,
): Promise<readonly Tried[]> {
  const replacing = (await replacingModules(folder)).filter(
    (file) => !excluded.some((one) => isIn(file, one)),
  )
  const sharing = [folder, '--no-isolate', ...[...excluded, ...replacing].flatMap(exclude)]
  const shared = tried({ title, name, args: [...sharing, ...scope, ...args], env })
  if (replacing.length === 0) return [await shared]
  const apart = {
    title: `${title}: with modules replaced`,
    name: `${name}-own`,
    args: [...replacing, ...scope, ...args],
    env,
  }
  return Promise.all([shared, later.then(() => tried(apart))])
}

/** Demo data of the built product in a folder, which the browser tests copy. */
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

/** Removes recycled log segments, which are half of the data of each copy: those after the last written one. */
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
/** Those of them that measure time: alone, one after another, and first, before other tests have heated the machine. */
const TIMED = ['e2e/budget', 'e2e/hooks', 'browser/scripts/frames', 'browser/scripts/hostile'].map(
  (name) => `tests/${name}.test.ts`,
)
const CORES = availableParallelism()
/**
 * Number of parallel test files. Browser tests wait more than they compute, and so do tests that start and stop servers: the three groups run in
 * parallel, so that one uses the CPU that another leaves.
 */
const AT_A_TIME = { browser: CORES, node: Math.ceil(CORES / 2), postgresql: Math.ceil(CORES / 2) }
/** Options of vitest for a group that runs beside others. */
const sideBySide = (of: keyof typeof AT_A_TIME): readonly string[] => [
  `--maxWorkers=${AT_A_TIME[of]}`,
  ...SHORT_LIVED.map((flag) => `--execArgv=${flag}`),
]
/**
 * These only run on PostgreSQL, which installations use. PGlite, which replaces it if no PostgreSQL program runs, has the same engine and is three
 * times as slow: it is tested with the database itself, signing in, pages, files and a first start.
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
/** Tests that start their own servers and databases, or do not use any: they run once, whatever database there is. */
const ON_THEIR_OWN = [
  ...[
    'process',
    'commands',
    'outage',
    'released',
    'backup',
    'embedded',
    'hostile-files',
    'fair-shares',
    'client-files',
    'two-users',
    'standby',
    'full-disk',
  ].map((name) => `platform/${name}`),
  'chaos',
  'forms/verdicts',
].map((name) => `tests/server/${name}.test.ts`)
/** Of the tests on PostgreSQL, the longest run: these begin when the browser's are over, so that no core waits for the end of one run. */
const LAST_FOLDERS = ['tests/server/sheets', 'tests/server/operate'] as const
const LAST = LAST_FOLDERS.map((folder) => `${folder}/**`)
/** These mount a small disk, which only root may: for anyone else they are left out, and said so. */
const NEED_ROOT = ['tests/server/platform/full-disk.test.ts']
const MAY_MOUNT = process.getuid?.() === 0
/** Tests that this machine cannot run count as failed. */
function cannotRun(program: string, error: unknown): null {
  process.stdout.write(
    `✗ ${program} cannot run here: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  counts.push({ passed: 0, failed: 1, left: 0, unsteady: [] })
  return null
}

const { values } = readArguments(
  'usage: npm test (checks and tests), npm run test:all (also the long ones; one file: npx vitest run ../tests/FILE)',
  { options: { all: { type: 'boolean' } } },
)
/** Options of vitest for each suite. */
const scope = values.all ? [] : [WITHOUT_LONG]
if (values.all) process.env.TEST_ALL = 'yes'
moveTemporaryFiles()
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

if (!MAY_MOUNT) process.stdout.write(`left out, only root can run them: ${NEED_ROOT.join(', ')}\n`)

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
    [
      'tests',
      ...BROWSER.map((folder) => `${folder}/**`),
      ...POSTGRESQL_ONLY,
      ...(MAY_MOUNT ? [] : NEED_ROOT),
    ],
    { args: sideBySide('node'), env: { TEST_DATABASE_URL: '', SEEDED_DATA: data } },
    later,
  )
const onPostgresql = async (url: string, later: Promise<unknown>): Promise<readonly Tried[]> => {
  const options = { args: sideBySide('postgresql'), env: { TEST_DATABASE_URL: url } }
  const title = 'server on PostgreSQL'
  const [first, last] = await Promise.all([
    suites(title, 'postgresql', ['tests/server', ...ON_THEIR_OWN, ...LAST], options, later),
    later.then(() =>
      tried({
        title: `${title}: last`,
        name: 'postgresql-last',
        ...options,
        args: [...LAST_FOLDERS, '--no-isolate', ...scope, ...options.args],
      }),
    ),
  ])
  return [...first, last]
}
const inBrowser = (data: string): Promise<Tried> =>
  tried({
    title: 'browser',
    name: 'browser',
    args: [...BROWSER, '--no-isolate', ...scope, ...sideBySide('browser'), ...TIMED.flatMap(exclude)],
    env: { SEEDED_DATA: data },
  })
const budgets = (data: string): Promise<Tried> =>
  tried({
    title: 'budgets',
    name: 'budgets',
    args: [...TIMED, '--no-file-parallelism', ...scope],
    env: { SEEDED_DATA: data },
  })

const ran: Tried[] = []
if (seeded !== null) ran.push(await budgets(seeded))
// The browser's files end first: the remaining ones then start with the CPU they leave.
const browsed = seeded === null ? Promise.resolve([]) : inBrowser(seeded).then((one) => [one])
const concurrent = await Promise.all([
  browsed,
  postgresql === undefined ? [] : onPostgresql(postgresql, browsed),
  onNode(seeded ?? '', browsed),
])
ran.push(...concurrent.flat())
for (const one of ran) counts.push(await counted(one))
await cluster?.remove()
for (const folder of [seeded, MODULES])
  if (folder !== null) await rm(folder, { recursive: true, force: true })

const sum = (of: (count: Count) => number): number => counts.reduce((total, count) => total + of(count), 0)
const failed = sum((count) => count.failed)
for (const test of counts.flatMap(({ unsteady }) => unsteady))
  process.stdout.write(`unsteady, passed alone: ${test}\n`)
const left = sum((count) => count.left)
if (left > 0) process.stdout.write(`left out, ${left} long tests: npm run test:all\n`)
process.stdout.write(`\n${sum(({ passed }) => passed)} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
