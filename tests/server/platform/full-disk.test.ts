import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { prepareDataFolder } from '../../../src/server/kernel/db/data-folder.ts'
import { openPglite } from '../../../src/server/kernel/db/embedded/pglite.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { smallDisk } from './small-disk.ts'

const disk = await smallDisk(120)
afterAll(() => disk.remove())

describe('a first start on a full disk', () => {
  const { folder, fill, free } = disk
  afterEach(() => free())
  const said: string[] = []
  const open = async (name: string) => {
    await mkdir(join(folder, name))
    return openDatabase(
      { folder: join(folder, name), onError: () => undefined },
      (line) => void said.push(line),
    )
  }

  it('without any room leaves no file of the check of its folder', async () => {
    await fill(0)

    await expect(prepareDataFolder(folder)).rejects.toThrow(
      `DATA_DIR ${folder} cannot be used: no space left on the device`,
    )

    expect(await readdir(folder)).toEqual(['filler'])
  })

  it.each([6, 30])('with %i MB says so, leaves nothing and does not become PGlite', async (left) => {
    await fill(left)

    await expect(open(`with-${left}`)).rejects.toThrow(
      `${join(folder, `with-${left}`, 'postgresql')} cannot be used: no space left on the device`,
    )

    expect([said, await readdir(join(folder, `with-${left}`))]).toEqual([[], []])
  })

  it('with room for PostgreSQL but not for the tables says to make room, not to start another version', async () => {
    await fill(42)

    // PostgreSQL reports a full disk, or ends, if it is its log that finds no room.
    await expect(open('tables')).rejects.toThrow(
      /^the migrations failed, nothing was changed: .*room where the database is, then start again$/,
    )
    await free()
    const { database } = await openDatabase({ folder: join(folder, 'tables'), onError: () => undefined })
    await database.close()
  })

  it('of PGlite says so too', async () => {
    await fill(6)

    await expect(openPglite(join(folder, 'pg'))).rejects.toThrow(
      `PGlite in ${join(folder, 'pg')} cannot be opened: no space left on the device`,
    )
  })
})
