import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT = join(ROOT, 'tests/output')

/** What a part of the tests came to. */
export interface Count {
  readonly passed: number
  readonly failed: number
  /** Tests that failed beside others and passed alone: `FILE > NAME`. Counted as passed, and to be mended. So do errors outside of tests. */
  readonly unsteady: readonly string[]
}

/** Above this number of failed files nothing is tried again: that many are no matter of a busy machine. */
const AGAIN_MOST = 6

/** Runs a program of `node_modules/.bin`. @returns its exit code */
async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const child = spawn(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  return new Promise((done) => {
    child.on('exit', (code) => done(code ?? 1))
    child.on('error', () => done(1))
  })
}

/** One check that passes or fails as a whole. */
export async function check(title: string, program: string, args: readonly string[]): Promise<Count> {
  process.stdout.write(`\n── ${title}\n`)
  const ok = (await run(program, args)) === 0
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, unsteady: [] }
}

/**
 * A run of vitest, counted test by test. A skipped test counts as failed: it proves nothing. A few files that fail are run once more, one
 * after the other with nothing beside them: what fails again has failed, what passes then is named as unsteady.
 * @param name  of the report in `tests/output`
 */
export async function suite(
  title: string,
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Count> {
  const first = await vitest(title, name, args, env)
  if (first.files.length === 0 || first.files.length > AGAIN_MOST) return { ...first, unsteady: [] }
  const again = await vitest(
    `${title}: what failed, alone`,
    `${name}-alone`,
    [...first.files, '--no-file-parallelism'],
    env,
  )
  return settled(first, again)
}

/** One run of vitest. */
export interface Run {
  readonly passed: number
  /** Tests that did not pass, files that could not be loaded, an error outside of all tests. */
  readonly failed: number
  /** Files with tests that failed or errors outside of them, and these tests as `FILE > NAME`. */
  readonly files: readonly string[]
  readonly red: readonly string[]
  /** Files during which an error happened outside of all tests (before, between, after them), one entry for each. */
  readonly strays: readonly string[]
  readonly green: ReadonlySet<string>
}

/**
 * What a run comes to whose failed files were run `again`: a test is forgiven that passed then, and an error outside of tests whose file
 * ran without one. Whatever else failed is not.
 */
export function settled(first: Run, again: Run): Count {
  const isWhole = again.failed === again.red.length
  const tests = isWhole ? first.red.filter((test) => again.green.has(test) && !again.red.includes(test)) : []
  const strays = isWhole
    ? first.strays.filter((file) => [...again.green].some((test) => test.startsWith(`${file} > `)))
    : []
  const unsteady = [...tests, ...strays.map((file) => `${file} > an error outside of its tests`)]
  return { passed: first.passed + tests.length, failed: first.failed - unsteady.length, unsteady }
}

async function vitest(
  title: string,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Run> {
  process.stdout.write(`\n── ${title}\n`)
  const report = join(OUTPUT, `${name}.json`)
  await mkdir(OUTPUT, { recursive: true })
  const strayReport = join(OUTPUT, `${name}-stray.json`)
  await Promise.all([report, strayReport].map((file) => rm(file, { force: true })))
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, STRAY_ERRORS]
  const code = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], {
    ...env,
    STRAY_REPORT: strayReport,
  })
  const found = await readJson<Report>(report)
  return readRun(found, { code, strays: (await readJson<(string | null)[]>(strayReport)) ?? [] })
}

const STRAY_ERRORS = `--reporter=${join(ROOT, 'src/tools/stray-errors.ts')}`

const readJson = <T>(file: string): Promise<T | null> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => null,
  )

/** How vitest ended: its exit code, and the files of errors outside of all tests (`null`: it knows none). */
export interface Ending {
  readonly code: number
  readonly strays: readonly (string | null)[]
}

/** A report as a run. */
export function readRun(found: Report | null, { code, strays }: Ending): Run {
  if (found === null) return { passed: 0, failed: 1, files: [], red: [], strays: [], green: new Set() }
  const red = testsThat('failed', found)
  const unloaded = found.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const missed = found.numTotalTests - found.numPassedTests + unloaded.length + strays.length
  const astray = [...unloaded.map(({ name }) => name), ...strays.flatMap((file) => file ?? [])].map((file) =>
    relative(ROOT, file),
  )
  return {
    passed: found.numPassedTests,
    // Whatever made vitest fail that it does not say.
    failed: code !== 0 && missed === 0 ? 1 : missed,
    files: [...new Set([...red.map(({ file }) => file), ...astray])],
    red: red.map(({ title }) => title),
    strays: astray,
    green: new Set(testsThat('passed', found).map(({ title }) => title)),
  }
}

/** What is read of vitest's JSON report. */
export interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const testsThat = (wanted: string, { testResults }: Report) =>
  testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(ROOT, name)
    return assertionResults
      .filter(({ status }) => status === wanted)
      .map(({ fullName }) => ({ file, title: `${file} > ${fullName}` }))
  })
