import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** A build with one input, which logs its runs; its output names its input. */
const BUILD = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const at = (path: string) => new URL('../../' + path, import.meta.url)
const text = readFileSync(at('src/one.txt'), 'utf8')
if (text === 'broken') throw new Error('not to be built')
mkdirSync(at('dist/server'), { recursive: true })
writeFileSync(at('dist/server/main.js'), 'console.log("serves ' + text + '")')
writeFileSync(at('dist/.inputs'), JSON.stringify({ inputs: ['src'], results: ['dist/server/main.js'] }))
console.log('builds')
`

let root = ''
const inRoot = (path: string): string => join(root, path)
const start = async (): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [inRoot('src/tools/start.js')])
  return stdout.trim().split('\n')
}
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'start-'))
  await mkdir(inRoot('src/tools'), { recursive: true })
  await cp(join(ROOT, 'src/tools/start.js'), inRoot('src/tools/start.js'))
  await writeFile(inRoot('src/tools/build.ts'), BUILD)
  await writeFile(inRoot('package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), inRoot('node_modules'))
  await writeFile(inRoot('src/one.txt'), 'a')
  // Files older than a start are not being written.
  await pause(20)
})
afterAll(() => rm(root, { recursive: true, force: true }))

it('a start builds once, and again after a file is changed, added or removed', async () => {
  expect(await start()).toEqual(['builds', 'serves a'])
  expect(await start()).toEqual(['serves a'])

  await writeFile(inRoot('src/one.txt'), 'b')
  expect(await start()).toEqual(['builds', 'serves b'])
  await writeFile(inRoot('src/two.txt'), '')
  expect(await start()).toEqual(['builds', 'serves b'])
  await rm(inRoot('src/two.txt'))
  expect(await start()).toEqual(['builds', 'serves b'])
  expect(await start()).toEqual(['serves b'])
})

it('a start without a build builds', async () => {
  await rm(inRoot('dist/server/main.js'))
  expect(await start()).toEqual(['builds', 'serves b'])
})

it('a start whose build fails serves nothing, and the next start builds', async () => {
  await writeFile(inRoot('src/one.txt'), 'broken')
  await expect(start()).rejects.toThrow('not to be built')
  await writeFile(inRoot('src/one.txt'), 'c')
  expect(await start()).toEqual(['builds', 'serves c'])
})
