import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LONG } from './long-tests.ts'
import { createOrderedOutput } from './ordered-output.ts'
import { SHORT_LIVED } from './short-lived.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT = join(ROOT, 'tests/output')
/** vitest's cache of transformed modules, shared by all suites of this run. */
export const MODULES = join(tmpdir(), `crm-modules-${process.pid}`)

/** The result of a part of the tests. */
export interface Count {
  readonly passed: number
  readonly failed: number
  /** Long tests that were left out. */
  readonly left: number
  /** Tests that failed among others and passed alone: `FILE > NAME`. They count as passed, and have to be fixed. The same for errors outside of tests. */
  readonly unsteady: readonly string[]
}

/** The option of vitest that leaves long tests out. */
export const WITHOUT_LONG = `--tagsFilter=!${LONG.name}`

/** Number of failed files above which nothing is repeated: a busy machine does not cause that. */
const MAX_RETRIED_FILES = 6

/** Time for the last output to arrive, in milliseconds. */
const LAST_WORDS_MS = 5_000

const begin = createOrderedOutput((text) => process.stdout.write(text))
const running = new Set<ChildProcess>()

/** Terminates all running programs. */
export function endAll(): void {
  for (const child of running) child.kill()
}

/** Runs a program of `node_modules/.bin` and prints its output. @returns its exit code */
async function run(
  title: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const output = begin()
  output.print(`\n── ${title}\n`)
  const begun = performance.now()
  const child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, 'node_modules/.bin', program), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  running.add(child)
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.print(text))
  const code = await new Promise<number>((done) => {
    child.on('close', (code) => done(code ?? 1))
    // Child processes it left behind may keep the pipes open.
    child.on('exit', (code) => setTimeout(done, LAST_WORDS_MS, code ?? 1))
    child.on('error', (error) => {
      output.print(`${error.message}\n`)
      done(1)
    })
  })
  running.delete(child)
  output.print(`${title}: ${Math.round((performance.now() - begun) / 1_000)} s\n`)
  output.end()
  return code
}

/** One check that passes or fails as a whole. */
export async function check(title: string, program: string, args: readonly string[]): Promise<Count> {
  const ok = (await run(title, program, args)) === 0
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, left: 0, unsteady: [] }
}

/** A run of vitest. */
export interface Suite {
  readonly title: string
  /** Name of the report in `tests/output`. */
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A suite that was run. */
export interface Tried {
  readonly suite: Suite
  readonly first: Run
}

/** Runs a suite and counts its tests. A skipped test counts as failed, unless it is a long one that was left out: it proves nothing. */
export async function tried(suite: Suite): Promise<Tried> {
  return { suite, first: await vitest(suite) }
}

/**
 * The result of a suite. If only a few files failed, they are run once more, one after another and alone: tests that fail again count as failed,
 * those that pass are listed as unsteady.
 */
export async function counted({ suite, first }: Tried): Promise<Count> {
  if (first.files.length === 0 || first.files.length > MAX_RETRIED_FILES) return { ...first, unsteady: [] }
  const retry = await vitest({
    title: `${suite.title}: what failed, alone`,
    name: `${suite.name}-alone`,
    args: [...first.files, '--no-file-parallelism'],
    env: suite.env,
  })
  return settled(first, retry)
}

/** One run of vitest. */
export interface Run {
  readonly passed: number
  readonly left: number
  /** Tests that did not pass, files that could not be loaded, errors outside of tests. */
  readonly failed: number
  /** Files with failed tests or errors outside of them, and these tests as `FILE > NAME`. */
  readonly files: readonly string[]
  readonly red: readonly string[]
  /** Files during which an error happened outside of tests (before, between, after them), one entry for each. */
  readonly strays: readonly string[]
  readonly green: ReadonlySet<string>
}

/**
 * The result of a run whose failed files were run `again`: a test that passed then is forgiven, and an error outside of tests if its file ran without
 * one. All other failures count.
 */
export function settled(first: Run, retry: Run): Count {
  const isWhole = retry.failed === retry.red.length
  const tests = isWhole ? first.red.filter((test) => retry.green.has(test) && !retry.red.includes(test)) : []
  const strays = isWhole
    ? first.strays.filter((file) => [...retry.green].some((test) => test.startsWith(`${file} > `)))
    : []
  const unsteady = [...tests, ...strays.map((file) => `${file} > an error outside of its tests`)]
  return {
    passed: first.passed + tests.length,
    failed: first.failed - unsteady.length,
    left: first.left,
    unsteady,
  }
}

async function vitest({ title, name, args, env }: Suite): Promise<Run> {
  const report = join(OUTPUT, `${name}.json`)
  await mkdir(OUTPUT, { recursive: true })
  const strayReport = join(OUTPUT, `${name}-stray.json`)
  await Promise.all([report, strayReport].map((file) => rm(file, { force: true })))
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, STRAY_ERRORS]
  const cacheOptions = ['--experimental.fsModuleCache', `--experimental.fsModuleCachePath=${MODULES}`]
  const code = await run(
    title,
    'vitest',
    ['run', '--passWithNoTests', ...cacheOptions, ...reporters, ...args],
    {
      ...env,
      STRAY_REPORT: strayReport,
    },
  )
  const found = await readJson<Report>(report)
  return readRun(found, {
    code,
    strays: (await readJson<(string | null)[]>(strayReport)) ?? [],
    withoutLong: args.includes(WITHOUT_LONG),
  })
}

const STRAY_ERRORS = `--reporter=${join(ROOT, 'src/tools/stray-errors.ts')}`

const readJson = <T>(file: string): Promise<T | null> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => null,
  )

/** How vitest ended: its exit code, and the files of errors outside of tests (`null`: unknown). */
export interface Ending {
  readonly code: number
  readonly strays: readonly (string | null)[]
  /** Long tests were left out. */
  readonly withoutLong: boolean
}

/** Converts a report to a run. */
export function readRun(found: Report | null, { code, strays, withoutLong }: Ending): Run {
  if (found === null)
    return { passed: 0, failed: 1, left: 0, files: [], red: [], strays: [], green: new Set() }
  const red = testsThat('failed', found)
  const unloaded = found.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const left = withoutLong ? found.testResults.flatMap(leftOut).length : 0
  const missed = found.numTotalTests - found.numPassedTests - left + unloaded.length + strays.length
  const astray = [...unloaded.map(({ name }) => name), ...strays.flatMap((file) => file ?? [])].map((file) =>
    relative(ROOT, file),
  )
  return {
    passed: found.numPassedTests,
    // Another failure of vitest that the report does not contain.
    failed: code !== 0 && missed === 0 ? 1 : missed,
    left,
    files: [...new Set([...red.map(({ file }) => file), ...astray])],
    red: red.map(({ title }) => title),
    strays: astray,
    green: new Set(testsThat('passed', found).map(({ title }) => title)),
  }
}

/** The part of vitest's JSON report that is used. */
export interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly tags: readonly string[]
    }[]
  }[]
}

const leftOut = ({ assertionResults }: Report['testResults'][number]) =>
  assertionResults.filter(({ status, tags }) => status === 'skipped' && tags.includes(LONG.name))

const testsThat = (wanted: string, { testResults }: Report) =>
  testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(ROOT, name)
    return assertionResults
      .filter(({ status }) => status === wanted)
      .map(({ fullName }) => ({ file, title: `${file} > ${fullName}` }))
  })
