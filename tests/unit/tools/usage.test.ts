import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { SERVER_COMMANDS } from '../../support/server-commands.ts'
import type { Answer, Called } from '../../support/walk-usages.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Which file a script calls, with the script's arguments; null if it is a program of a package, or a command of the built server. */
function toolOf(script: string): string | null {
  const file = /^(?:tsx|exec node) (src\/tools\/\S+)$/.exec(script)?.[1]
  return file === undefined ? null : join(ROOT, file)
}

const COMMANDS = Object.entries(packageJson.scripts).flatMap(([name, script]) => {
  const file = toolOf(script)
  return file === null ? [] : [{ name, file }]
})

/** Words that no command knows; more of them than any takes. `check:pages` takes any number of files. */
const WRONG_WORDS = ['wrongword', 'wrongword', 'wrongword', 'wrongword', 'wrongword']

async function walk(called: readonly Called[]): Promise<readonly Answer[]> {
  const script = join(ROOT, 'tests/support/walk-usages.ts')
  const { NODE_ENV: _, ...env } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(called)], {
    cwd: ROOT,
    env: { ...env, DATA_DIR: '/proc/nowhere', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    return JSON.parse(await text(child.stdout)) as readonly Answer[]
  } finally {
    // A command that started something after all.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
}

const ARGUMENTS = { help: ['--help'], words: WRONG_WORDS, option: ['--wrong-option'] }

let answers: readonly Answer[] = []
beforeAll(async () => {
  const called = Object.values(ARGUMENTS).flatMap((args) => COMMANDS.map(({ file }) => ({ file, args })))
  answers = await walk(called)
})
const endsAfter = (given: keyof typeof ARGUMENTS) => {
  const first = Object.keys(ARGUMENTS).indexOf(given) * COMMANDS.length
  return Object.fromEntries(COMMANDS.map(({ name }, at) => [name, answers[first + at]]))
}
const all = (answer: unknown) => Object.fromEntries(COMMANDS.map(({ name }) => [name, answer]))
const REFUSED = { end: 2, stdout: '', stderr: expect.stringMatching(/usage: n\S+ .*\n$/) }

it('the scripts that are not walked belong to packages, to the server (commands.test.ts), or to a walked one', () => {
  const walked = new Set(COMMANDS.map(({ name }) => name))
  const others = Object.entries(packageJson.scripts).filter(([name]) => !walked.has(name))
  const ofServer = others.filter(([, script]) => /node dist\/server\/[a-z]+\.js$/.test(script))

  expect(ofServer.map(([name]) => name)).toEqual(['serve', ...SERVER_COMMANDS])
  expect(others.filter((one) => !ofServer.includes(one)).map(([name]) => name)).toEqual([
    'build:bench',
    'pictures',
    'types',
    'lint',
    'format',
    'test:all',
  ])
})

it('every tool prints its usage for --help, and does nothing', () => {
  expect(endsAfter('help')).toEqual(
    all({ end: 0, stdout: expect.stringMatching(/^usage: n\S+ .*\n$/), stderr: '' }),
  )
})

it('every tool refuses words it does not know with its usage, and does nothing', () => {
  expect(endsAfter('words')).toEqual(all(REFUSED))
})

it('every tool refuses an option it does not know with its usage, and does nothing', () => {
  expect(endsAfter('option')).toEqual(all(REFUSED))
})

it('torture refuses a word that is no number, power or haproxy, and what stands in the wrong place', async () => {
  const file = join(ROOT, 'src/tools/load/torture.ts')
  const wrong = [
    'wrongword',
    'pwoer',
    'power x',
    '0',
    '10 3 nginx',
    '10 1 haproxy',
    '10 haproxy',
    'power 5 haproxy',
  ]

  const ends = await walk(wrong.map((words) => ({ file, args: words.split(' ') })))

  expect(ends).toEqual(wrong.map(() => REFUSED))
})

it('a file or a commit that is not there is named', async () => {
  const called = ['case', 'previous', 'check-pages'].map((name) => ({
    file: join(ROOT, `src/tools/${name}.ts`),
    args: ['wrongword'],
  }))

  expect((await walk(called)).map(({ end, stderr }) => [end, stderr])).toEqual([
    [2, expect.stringMatching(/^there is no file wrongword\nusage: /)],
    [2, expect.stringMatching(/^there is no commit wrongword\nusage: /)],
    [2, expect.stringMatching(/^there is no file wrongword\nusage: /)],
  ])
})
