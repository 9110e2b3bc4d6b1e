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
  /** Tests that failed beside others and passed alone: `FILE > NAME`. Counted as passed, and to be mended. */
  readonly unsteady: readonly string[]
}

/** Above this number of failed files nothing is tried again: that many are no matter of a busy machine. */
const AGAIN_MOST = 3

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
  /** Files with tests that failed, and these tests as `FILE > NAME`. */
  readonly files: readonly string[]
  readonly red: readonly string[]
  readonly green: ReadonlySet<string>
}

/** What a run comes to whose failed files were run `again`: a test is forgiven that passed then, whatever else failed is not. */
export function settled(first: Run, again: Run): Count {
  const isWhole = again.failed === again.red.length
  const unsteady = isWhole
    ? first.red.filter((test) => again.green.has(test) && !again.red.includes(test))
    : []
  return { passed: first.passed + unsteady.length, failed: first.failed - unsteady.length, unsteady }
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
  await rm(report, { force: true })
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], env)
  const found = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  )
  return readRun(found, code)
}

/** A report as a run. @param code  what vitest ended with */
export function readRun(found: Report | null, code: number): Run {
  if (found === null) return { passed: 0, failed: 1, files: [], red: [], green: new Set() }
  const red = testsThat('failed', found)
  const unloaded = found.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const missed = found.numTotalTests - found.numPassedTests + unloaded.length
  return {
    passed: found.numPassedTests,
    // An error outside of all tests has no test to count.
    failed: code !== 0 && missed === 0 ? 1 : missed,
    files: [...new Set(red.map(({ file }) => file))],
    red: red.map(({ title }) => title),
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
