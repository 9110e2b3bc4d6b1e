import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDataFolder } from '../../../src/server/kernel/db/data-folder.ts'

let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'crm-folder-'))
})
afterAll(() => rm(place, { recursive: true }))

it.runIf(platform() === 'linux')(
  'a data folder where none can be made is refused',
  async () => {
    await expect(prepareDataFolder('/proc/crm/data')).rejects.toThrow(
      'DATA_DIR /proc/crm/data cannot be used: no folder can be made in /proc',
    )
  },
  5_000,
)

it.each([
  ['new', null],
  ['open', 0o755],
])('a %s data folder is closed to other accounts of the machine', async (name, mode) => {
  const folder = join(place, name)
  if (mode !== null) await mkdir(folder, { mode })

  await prepareDataFolder(folder)

  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})
