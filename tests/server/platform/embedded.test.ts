import { execFileSync } from 'node:child_process'
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveToPostgresql } from '../../../src/server/http/move-to-postgresql.ts'
import { createDatabase, type Database } from '../../../src/server/kernel/db/database.ts'
import { openEmbedded } from '../../../src/server/kernel/db/embedded/open-embedded.ts'
import { openPglite } from '../../../src/server/kernel/db/embedded/pglite.ts'
import { MIGRATIONS, migrate } from '../../../src/server/kernel/db/migrate.ts'
import { long } from '../../support/long.ts'

let work: string
/** A folder with a table `kept` of one row; its server is stopped. */
let used: string
const open: Database[] = []

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'crm-embedded-'))
  used = await folder('used')
  const database = await opened(used)
  await run(database, 'create table kept (word text)', `insert into kept values ('此处')`)
  await close(database)
})
afterAll(async () => {
  for (const database of open) await database.close().catch(() => undefined)
  await rm(work, { recursive: true, force: true })
})

async function folder(name: string): Promise<string> {
  const path = join(work, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}
async function copyOfUsed(name: string): Promise<string> {
  const path = join(work, name)
  await cp(used, path, { recursive: true })
  return path
}

interface Heard {
  readonly said: string[]
  readonly errors: string[]
}
const hearing = (): Heard => ({ said: [], errors: [] })

async function opened(dataDir: string, heard = hearing()): Promise<Database> {
  const source = await openEmbedded(dataDir, {
    print: (line) => void heard.said.push(line),
    onError: ({ message }) => void heard.errors.push(message),
  })
  const database = createDatabase(source)
  open.push(database)
  return database
}
async function close(database: Database): Promise<void> {
  await database.close()
  open.splice(open.indexOf(database), 1)
}
const run = (database: Database, ...statements: readonly string[]) =>
  database.owner(async (trx) => {
    let rows: readonly object[] = []
    for (const statement of statements) ({ rows } = await sql.raw<object>(statement).execute(trx))
    return rows
  })
const kept = (database: Database) => run(database, 'select word from kept')
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const serverOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgresql/db/postmaster.pid'), 'utf8')).split('\n')[0])

describe('the embedded database', () => {
  it('is a PostgreSQL that syncs to disk, without a port, in a folder closed to others', async () => {
    const dataDir = await copyOfUsed('safe')
    const heard = hearing()
    const database = await opened(dataDir, heard)

    expect(
      await run(
        database,
        `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
          current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses,
          split_part(current_setting('server_version'), '.', 1) as major, 'Ä' ilike 'ä' as folds`,
      ),
    ).toEqual([{ fsync: 'on', commit: 'on', pages: 'on', addresses: '', major: '18', folds: true }])
    expect((await stat(join(dataDir, 'postgresql'))).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'postgresql/db'))).mode & 0o077).toBe(0)
    expect(heard).toEqual({ said: [], errors: [] })
    await close(database)
    expect(await isThere(join(dataDir, 'postgresql/db/postmaster.pid'))).toBe(false)
  })

  it('works in a copy of its folder, whoever made it, and if the path is too long for a socket', async () => {
    const dataDir = await copyOfUsed(join('a-long-way-'.repeat(8), 'down'))

    expect(await kept(await opened(dataDir))).toEqual([{ word: '此处' }])
  })

  it('is restarted if it ends, and no acknowledged write is lost', async () => {
    const dataDir = await copyOfUsed('killed')
    const heard = hearing()
    const database = await opened(dataDir, heard)
    await run(database, `insert into kept values ('之后')`)

    process.kill(await serverOf(dataDir), 'SIGKILL')

    // A session of the killed server may still answer: requests count once its end was noticed.
    await expect
      .poll(() => heard.errors.join('\n'))
      .toContain('the embedded database ended with 137 and is started again')
    await expect
      .poll(() => kept(database).catch(() => []), { timeout: 60_000 })
      .toEqual([{ word: '此处' }, { word: '之后' }])
  })

  it('ends with the process that started it, however that ends, and the next one continues', async () => {
    const dataDir = await copyOfUsed('orphan')
    const starting = `
      import { startPostmaster } from '${join(import.meta.dirname, '../../../src/server/kernel/db/embedded/postmaster.ts')}'
      await startPostmaster({ folder: '${join(dataDir, 'postgresql')}', sessions: 20, onError: () => undefined })
      process.kill(process.pid, 'SIGKILL')`
    const tsx = join(import.meta.dirname, '../../../node_modules/.bin/tsx')
    expect(() =>
      execFileSync(tsx, ['--input-type=module', '-e', starting], { stdio: 'pipe', detached: true } as object),
    ).toThrow()
    expect(await readFile(join(dataDir, 'postgresql/log'), 'utf8')).toContain('ready to accept connections')

    expect(await kept(await opened(dataDir))).toEqual([{ word: '此处' }])
  })

  it('starts even if another process now has its process id', async () => {
    const dataDir = await copyOfUsed('stale')
    const data = join(dataDir, 'postgresql/db')
    await writeFile(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1700000000\n5432\n\n\n`)

    expect(await kept(await opened(dataDir))).toEqual([{ word: '此处' }])
  })

  it('starts even if another process has the id in the lock of its socket, as after a power loss', async () => {
    const [dataDir, other] = [await copyOfUsed('stale-socket'), await copyOfUsed('running')]
    await opened(other)
    const lock = [await serverOf(other), join(dataDir, 'postgresql/db'), 1_700_000_000, 5432, dataDir, '']
    await writeFile(join(dataDir, 'postgresql/.s.PGSQL.5432.lock'), lock.join('\n'))
    if (process.getuid?.() === 0) await chmod(join(dataDir, 'postgresql/.s.PGSQL.5432.lock'), 0o644)

    expect(await kept(await opened(dataDir))).toEqual([{ word: '此处' }])
  })

  it('refuses files of another version of PostgreSQL', async () => {
    const dataDir = await copyOfUsed('other')
    await writeFile(join(dataDir, 'postgresql/db/PG_VERSION'), '17\n')

    await expect(opened(dataDir)).rejects.toThrow('was made by PostgreSQL 17, this release has 18')
  })

  it('says what is wrong with its folder, and does not become PGlite for it', async () => {
    const dataDir = await folder('without')
    await writeFile(join(dataDir, 'postgresql'), 'in the way')
    const heard = hearing()

    await expect(opened(dataDir, heard)).rejects.toThrow(
      `${join(dataDir, 'postgresql')} cannot be used: it is a file, not a folder`,
    )

    expect(heard.said).toEqual([])
    expect(await readdir(dataDir)).toEqual(['postgresql'])
  })
})

describe('a folder of PGlite', () => {
  let old: string
  beforeAll(async () => {
    old = await folder('old')
    const database = createDatabase(await openPglite(join(old, 'pg')))
    await migrate(database, MIGRATIONS, () => undefined)
    await run(database, `insert into tenant (id, code, name) values ('t1', 'xinghai', '星海科技')`)
    await database.close()
  })
  const tenants = (database: Database) => run(database, 'select id, name from tenant')

  it('is migrated to PostgreSQL at a start, and kept beside it', long, async () => {
    const dataDir = join(work, 'moved')
    await cp(old, dataDir, { recursive: true })
    const said: string[] = []
    const parts = {
      print: (line: string) => void said.push(line),
      onError: (error: Error) => void said.push(error.message),
    }
    // As an interrupted start leaves it.
    await mkdir(join(dataDir, 'moving/postgresql/db.new'), { recursive: true })

    await moveToPostgresql(dataDir, parts)
    await moveToPostgresql(dataDir, parts)
    const database = await opened(dataDir)

    expect(database.kind).toBe('postgresql')
    expect(await tenants(database)).toEqual([{ id: 't1', name: '星海科技' }])
    expect(said).toEqual([
      expect.stringContaining('moving the embedded'),
      expect.stringContaining('can be removed'),
    ])
    expect(await isThere(join(dataDir, 'moving'))).toBe(false)
    expect(await isThere(join(dataDir, 'pg.moved/PG_VERSION'))).toBe(true)
  })
})
