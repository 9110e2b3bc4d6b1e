import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** A fenced block of the manual that creates or changes a file. */
interface Block {
  readonly recipe: string
  readonly language: string
  readonly file: string
  readonly content: string
}

let copy: string
let blocks: readonly Block[]
beforeAll(async () => {
  blocks = blocksOf(await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
  copy = await mkdtemp(join(tmpdir(), 'crm-recipes-'))
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', 'runtime', 'src', 'schemas', 'tests', '*.json', '*.ts'],
    {
      cwd: ROOT,
      maxBuffer: 1e8,
    },
  )
  for (const file of stdout.split('\0').filter((name) => name !== '' && !name.endsWith('.test.ts'))) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(ROOT, file), join(copy, file)).catch(() => undefined) // deleted, and not yet committed
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
}, 60_000)
afterAll(() => rm(copy, { recursive: true, force: true }))

describe('the recipes of the manual for contributors', () => {
  it('work exactly as written', async () => {
    for (const block of blocks) await apply(block)
    const tests = blocks.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'))

    // Not the environment of the surrounding test run, which names a database and a reporter.
    const { PATH = '', HOME = '', TZ } = process.env
    const done = await run(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--no-isolate',
        ...tests.map((file) => `../${file}`),
      ],
      { cwd: copy, env: { PATH, HOME, NO_COLOR: '1', ...(TZ === undefined ? {} : { TZ }) } },
    ).catch((error: { stdout: string }) => error)

    expect(new Set(blocks.map(({ recipe }) => recipe)).size).toBe(6)
    expect(done.stdout).toMatch(/Tests {2}6 passed \(6\)/)
  }, 120_000)
})

function blocksOf(manual: string): readonly Block[] {
  return manual.split(/^### /m).flatMap((section) => {
    const [recipe = ''] = section.split('\n')
    return [...section.matchAll(/^```(\w+) title=(\S+)\n([\s\S]*?)^```$/gm)].map(
      ([, language = '', file = '', content = '']) => ({ recipe, language, file, content }),
    )
  })
}

/** Creates the file, or makes the change: the lines without `+` must be there, together and once. */
async function apply({ language, file, content }: Block): Promise<void> {
  const path = join(copy, file)
  if (language !== 'diff') {
    await mkdir(dirname(path), { recursive: true })
    return writeFile(path, content)
  }
  const lines = content.split('\n').filter((line) => line !== '')
  const side = (mark: string) =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const parts = (await readFile(path, 'utf8')).split(side('+'))
  if (parts.length !== 2)
    throw new Error(`${file}: this stands there ${parts.length - 1} times:\n${side('+')}`)
  await writeFile(path, parts.join(side('-')))
}
