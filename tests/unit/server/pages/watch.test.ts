import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchFolder } from '../../../../src/server/kernel/pages/watch.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('who stops watching waits for a reading that has begun, and no other begins', async () => {
  let begun = 0
  let over = 0
  let end = (): void => undefined
  const stop = watchFolder(folder, async () => {
    begun += 1
    await new Promise<void>((done) => {
      end = done
    })
    over += 1
  })
  await writeFile(join(folder, 'page.json'), '{}')
  await expect.poll(() => begun).toBe(1)

  let overWhenStopped = -1
  const stopped = Promise.resolve(stop()).then(() => {
    overWhenStopped = over
  })
  setTimeout(() => end(), 50)
  await stopped
  await writeFile(join(folder, 'page.json'), '{ "changed": true }')
  await new Promise((done) => setTimeout(done, 200))

  expect([overWhenStopped, begun]).toEqual([1, 1])
})
