import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { rememberedCheck } from '../../../../src/server/kernel/pages/remembered-check.ts'
import { buildId, openValidPageCache } from '../../../../src/server/kernel/pages/valid-page-cache.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judged-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A start of a server of some build: checks the pages, and returns those it checked itself. */
async function start(
  file: string,
  build: string,
  pages: readonly Json[],
  dictionaries: readonly string[] = [],
) {
  const faultless = await openValidPageCache(join(folder, file), build)
  const judged: Json[] = []
  const check = rememberedCheck((document) => {
    judged.push(document)
    return document === 'bad' ? [problem('PAGE_EMPTY', '/widgetList')] : []
  }, faultless)
  const problems = pages.map((page) => check(page, { dictionaries: new Set(dictionaries) }).length)
  await faultless.keep()
  return { judged, problems }
}

it('a start trusts the checks of the previous start of the same build, page by page', async () => {
  expect((await start('a', '1', ['x', 'y'])).judged).toEqual(['x', 'y'])
  expect((await start('a', '1', ['x', 'y'])).judged).toEqual([])
  expect((await start('a', '1', ['x', 'z'])).judged).toEqual(['z'])
  // Pages that no longer exist are removed from the cache.
  expect((await start('a', '1', ['y', 'z'])).judged).toEqual(['y'])
})

it('another build, other names and a file in another format are checked again', async () => {
  await start('b', '1', ['x'])
  expect((await start('b', '2', ['x'])).judged).toEqual(['x'])
  expect((await start('b', '2', ['x'], ['level'])).judged).toEqual(['x'])
  for (const text of [
    '',
    '{}',
    '{"build":"2","keys":5}',
    await readFile(join(folder, 'b'), 'utf8').then((it) => it.slice(0, -2)),
  ]) {
    await writeFile(join(folder, 'b'), text)
    expect((await start('b', '2', ['x'])).judged).toEqual(['x'])
  }
})

it('a page with faults reports them after each start', async () => {
  expect((await start('c', '1', ['bad', 'x'])).problems).toEqual([1, 0])
  expect(await start('c', '1', ['bad', 'x'])).toEqual({ judged: ['bad'], problems: [1, 0] })
})

it('a server that runs from its sources has no build id', async () => {
  expect(await buildId(import.meta.url)).toBeNull()
})
