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

/** A client as a build leaves it. */
async function buildOf(name: string, files: readonly string[]): Promise<string> {
  const build = join(folder, name)
  await mkdir(join(build, 'assets'), { recursive: true })
  await writeFile(join(build, 'index.html'), `<!doctype html>${name}`)
  for (const file of files) await writeFile(join(build, 'assets', file), `${name} ${file}`)
  return build
}

it('an app that was opened before the upgrade gets its lazy files for a week, packed ones too', async () => {
  const kept = join(folder, 'kept')
  const old = await buildOf('old', ['chart-AAAAAAAA.js', 'chart-AAAAAAAA.js.gz', 'same-CCCCCCCC.js'])
  const fresh = await buildOf('fresh', ['chart-BBBBBBBB.js', 'same-CCCCCCCC.js'])
  await keepClientFiles(old, kept, NOW)
  await writeFile(join(kept, 'assets', 'half-DDDDDDDD.js.part'), '')
  await keepClientFiles(fresh, kept, NOW + DAY_MS)
  const app = fastify()
  await addClientFiles(app, fresh, kept)

  const start = await app.inject('/')
  const lazy = await app.inject('/assets/chart-AAAAAAAA.js')
  const packed = await app.inject({
    url: '/assets/chart-AAAAAAAA.js',
    headers: { 'accept-encoding': 'gzip' },
  })
  const newer = await app.inject('/assets/chart-BBBBBBBB.js')
  const nothing = await app.inject('/assets/chart-EEEEEEEE.js')
  await app.close()

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

it('a server without a build keeps nothing and takes nothing away', async () => {
  const kept = join(folder, 'other')
  await keepClientFiles(await buildOf('one', ['a-AAAAAAAA.js']), kept, NOW)
  const at = new Date(NOW)
  await utimes(join(kept, 'assets', 'a-AAAAAAAA.js'), at, at)
  await keepClientFiles(join(folder, 'none'), kept, NOW + DAY_MS)

  expect(await readdir(join(kept, 'assets'))).toEqual(['a-AAAAAAAA.js'])
})
