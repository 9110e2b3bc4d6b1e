import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { EMBEDDED } from '../../src/server/db/embedded.ts'
import { MIGRATIONS } from '../../src/server/db/migrate.ts'
import { openDatabase } from '../../src/server/db/open.ts'

const OUTPUT = join(import.meta.dirname, '../output')

/** An empty embedded database after all migrations, made once for each state of them: making it takes seconds. */
export async function migratedImage(): Promise<Blob> {
  const state = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 16)
  const file = join(OUTPUT, `migrated-${state}.tar`)
  const kept = await readFile(file).catch(() => null)
  if (kept !== null) return new Blob([kept])

  const folder = await mkdtemp(join(tmpdir(), 'crm-image-'))
  const database = await openDatabase({
    folder,
    onError: (error) => {
      throw error
    },
  })
  await database.close()
  const pglite = await PGlite.create({ ...EMBEDDED, dataDir: join(folder, 'pg') })
  const image = await pglite.dumpDataDir('none')
  await pglite.close()
  await rm(folder, { recursive: true, force: true })
  await mkdir(OUTPUT, { recursive: true })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, Buffer.from(await image.arrayBuffer()))
  await rename(fresh, file)
  return image
}
