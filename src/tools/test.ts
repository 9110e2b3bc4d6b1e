import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from './build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT = join(ROOT, 'tests/output')

interface Count {
  readonly passed: number
  readonly failed: number
}

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
async function check(title: string, program: string, args: readonly string[]): Promise<Count> {
  process.stdout.write(`\n── ${title}\n`)
  const ok = (await run(program, args)) === 0
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A run of vitest, counted test by test. A skipped test counts as failed: it proves nothing. */
async function suite(title: string, name: string, args: readonly string[], env = {}): Promise<Count> {
  process.stdout.write(`\n── ${title}\n`)
  const report = join(OUTPUT, `${name}.json`)
  await rm(report, { force: true })
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], env)
  const found = await readFile(report, 'utf8').then(JSON.parse, () => null)
  if (found === null) return { passed: 0, failed: 1 }
  const failed = found.numTotalTests - found.numPassedTests
  // A file that cannot be loaded has no tests to count.
  return { passed: found.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed }
}

/** Tests that need Chromium and the built product; they run one file after the other. */
const BROWSER = ['tests/e2e', 'tests/browser']
/** A PostgreSQL server for tests, when one is named. */
const postgresql = process.env.TEST_DATABASE_URL ?? ''

await mkdir(OUTPUT, { recursive: true })
const counts: Count[] = []
counts.push(await check('types', 'tsc', ['-p', 'tsconfig.json']))
counts.push(await check('types of the core', 'tsc', ['-p', 'runtime/core/tsconfig.json']))
counts.push(await check('lint', 'biome', ['check', '.']))
counts.push(
  await suite(
    'unit, property, contract, architecture, schemas, server',
    'node',
    BROWSER.flatMap((folder) => ['--exclude', `${join(ROOT, folder)}/**`]),
    {
      TEST_DATABASE_URL: '',
    },
  ),
)
if (postgresql !== '') {
  counts.push(await suite('server on PostgreSQL', 'postgresql', ['tests/server']))
}
await buildStale()
counts.push(await suite('browser', 'browser', [...BROWSER, '--no-file-parallelism']))

const total = counts.reduce((sum, one) => ({
  passed: sum.passed + one.passed,
  failed: sum.failed + one.failed,
}))
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 ? 0 : 1)
