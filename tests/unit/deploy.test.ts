import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const DEPLOY = 'src/deploy'
/** The existing settings, as listed in the operator's manual. */
const [, settingsTable = ''] = read('src/OPERATIONS.md').split('\n## Settings\n')
const manual = new Set([...settingsTable.matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => name))
/** Settings of other programs, and names local to the files. */
const OTHERS = new Set(['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVE_PASSWORD', 'ON_ERROR_STOP'])

describe('the files of an installation', () => {
  const files = [
    'Dockerfile',
    '.dockerignore',
    'compose.yaml',
    ...readdirSync(join(ROOT, DEPLOY)).map((name) => `${DEPLOY}/${name}`),
  ]
  it.each(files)('set only documented settings: %s', (file) => {
    const lines = read(file)
      .split('\n')
      .filter((line) => !line.trim().startsWith('#'))
    const names = lines.flatMap((line) => line.match(/\b[A-Z][A-Z]*_[A-Z_]*[A-Z]\b(?=[=:}])/g) ?? [])

    expect(names.filter((name) => !OTHERS.has(name) && !manual.has(name))).toEqual([])
  })

  it('list every setting that the code reads', () => {
    const folder = 'src/server/kernel/config'
    const names = readdirSync(join(ROOT, folder)).flatMap((file) =>
      [...read(`${folder}/${file}`).matchAll(/\benv(?:\.|, ')([A-Z]\w+)/g)].map(([, name = '']) => name),
    )

    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !manual.has(name))).toEqual([])
  })

  it('name only existing commands and settings in the runbooks', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const book = read('src/OPERATIONS.md')
    const commands = [...book.matchAll(/npm run (\w+)/g)].map(([, name = '']) => name)
    const settings = [...book.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name)

    expect(commands.length).toBeGreaterThan(6)
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([])
    expect(settings.filter((name) => !OTHERS.has(name) && !manual.has(name))).toEqual([])
    expect(read('README.md')).toContain('src/OPERATIONS.md')
  })

  it('copy only existing files into the image, which runs without privileges and has the commands of the build', () => {
    const image = read('Dockerfile')
    const taken = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    )

    expect(taken.length).toBeGreaterThan(5)
    expect(taken.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(image).toMatch(/^USER node$/m)
    expect(image).toMatch(/^HEALTHCHECK/m)
  })
})
