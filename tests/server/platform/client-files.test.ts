import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addClientFiles } from '../../../src/server/http/client-files.ts'
import { keepClientFiles } from '../../../src/server/http/kept-client-files.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-23T00:00:00Z')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crm-client-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The client files of a build. */
async function buildOf(name: string, files: readonly string[]): Promise<string> {
  const build = join(folder, name)
  await mkdir(join(build, 'assets'), { recursive: true })
  await writeFile(join(build, 'index.html'), `<!doctype html>${name}`)
  await writeFile(join(build, 'app.webmanifest'), '{}')
  for (const file of files) await writeFile(join(build, 'assets', file), `${name} ${file}`)
  return build
}

it('an app opened before the upgrade receives its lazy files for a week, including compressed ones', async () => {
  const kept = join(folder, 'kept')
  const old = await buildOf('old', ['chart-AAAAAAAA.js', 'chart-AAAAAAAA.js.gz', 'same-CCCCCCCC.js'])
  const fresh = await buildOf('fresh', ['chart-BBBBBBBB.js', 'same-CCCCCCCC.js'])
  await keepClientFiles(old, kept, NOW)
  await writeFile(join(kept, 'assets', 'half-DDDDDDDD.js.part'), '')
  await keepClientFiles(fresh, kept, NOW + DAY_MS)
  const app = fastify()
  await addClientFiles(app, fresh, kept)

  const start = await app.inject('/')
  const browser = { 'accept-encoding': 'gzip, deflate, br' }
  const unpacked = await Promise.all(
    ['/', '/app.webmanifest', '/assets/chart-BBBBBBBB.js', '/assets/chart-AAAAAAAA.js'].map((url) =>
      app.inject({ url, headers: browser }),
    ),
  )
  const outside = await app.inject('/assets/..%2Findex.html')
  const lazy = await app.inject('/assets/chart-AAAAAAAA.js')
  const packed = await app.inject({
    url: '/assets/chart-AAAAAAAA.js',
    headers: { 'accept-encoding': 'gzip' },
  })
  const newer = await app.inject('/assets/chart-BBBBBBBB.js')
  const nothing = await app.inject('/assets/chart-EEEEEEEE.js')
  await app.close()

  expect(unpacked.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(outside.statusCode).not.toBe(200)
  expect(start.body).toBe('<!doctype html>fresh')
  expect([lazy.statusCode, lazy.body]).toEqual([200, 'old chart-AAAAAAAA.js'])
  expect(lazy.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(newer.body).toBe('fresh chart-BBBBBBBB.js')
  expect(nothing.statusCode).toBe(404)
  expect(await readdir(join(kept, 'assets'))).not.toContain('half-DDDDDDDD.js.part')

  await keepClientFiles(fresh, kept, NOW + 9 * DAY_MS)
  expect((await readdir(join(kept, 'assets'))).sort()).toEqual(['chart-BBBBBBBB.js', 'same-CCCCCCCC.js'])
})

it('the files of a build that was served for months are kept for a week after the next build', async () => {
  const kept = join(folder, 'months')
  const old = await buildOf('long', ['a-AAAAAAAA.js'])
  const fresh = await buildOf('new', ['b-BBBBBBBB.js'])
  const names = async () => (await readdir(join(kept, 'assets'))).sort()
  await keepClientFiles(old, kept, NOW)
  await keepClientFiles(fresh, kept, NOW + 90 * DAY_MS)
  expect(await names()).toEqual(['a-AAAAAAAA.js', 'b-BBBBBBBB.js'])
  await keepClientFiles(fresh, kept, NOW + 96 * DAY_MS)
  expect(await names()).toEqual(['a-AAAAAAAA.js', 'b-BBBBBBBB.js'])
  await keepClientFiles(fresh, kept, NOW + 98 * DAY_MS)
  expect(await names()).toEqual(['b-BBBBBBBB.js'])
})

it('a server without a build keeps nothing and deletes nothing', async () => {
  const kept = join(folder, 'other')
  await keepClientFiles(await buildOf('one', ['a-AAAAAAAA.js']), kept, NOW)
  const at = new Date(NOW)
  await utimes(join(kept, 'assets', 'a-AAAAAAAA.js'), at, at)
  await keepClientFiles(join(folder, 'none'), kept, NOW + 30 * DAY_MS)

  expect(await readdir(join(kept, 'assets'))).toEqual(['a-AAAAAAAA.js'])
})

it('a path that is none of a file is not found, however it is written, and never an error of the server', async () => {
  const build = await buildOf('paths', ['a-AAAAAAAA.js'])
  const app = fastify()
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('a call failed'))
  await addClientFiles(app, build, join(folder, 'kept-paths'))
  const long = 'a'.repeat(5_000)
  const paths = [
    '/..%5c',
    '/%2e%2e%5c',
    '/%2e%2e%5C..%5cetc%5cpasswd',
    '/pages/..%5c',
    '/assets/..%5c..%5cx',
    '/assets/..%5cindex.html',
    '/assets/%2e%2e%5c',
    '/%5c%5chost%5cshare',
    '/..%2f..%2fetc%2fpasswd',
    '/%00',
    '/..%5c%00',
    '/assets/%00.js',
    '/assets/a-AAAAAAAA.js%00.html',
    `/${long}`,
    `/..%5c${long}`,
    `/assets/${long}.js`,
  ]

  const answers = await Promise.all(paths.map((url) => app.inject(url)))
  const file = await app.inject('/assets/a-AAAAAAAA.js')
  await app.close()

  expect(answers.map(({ statusCode }, i) => `${statusCode} ${paths[i]?.slice(0, 40)}`)).toEqual(
    paths.map((path) => `404 ${path.slice(0, 40)}`),
  )
  expect(file.statusCode).toBe(200)
})
