import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRuns } from '../../../src/server/flows/backup/runs.ts'
import { createDatabase, type Database } from '../../../src/server/kernel/db/database.ts'
import { openEmbedded } from '../../../src/server/kernel/db/embedded/open-embedded.ts'
import { openPostgresql } from '../../../src/server/kernel/db/postgresql.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { removeData } from '../../../src/tools/remove-data.ts'
import { long } from '../../support/long.ts'
import { fail, onServer } from '../images.ts'
import {
  buildServer,
  newDataFolder,
  runBuilt,
  type ServerProcess,
  seededFolder,
  startServer,
  WITHOUT_POSTGRESQL,
} from './built-server.ts'

const KEY = 'a-key-of-backups-that-is-long-enough'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** Larger than two chunks of a file in the database; the bytes after the end of the picture belong to the file. */
const LARGE = Buffer.concat([PNG, randomBytes(700_000)])

let main: string
let cluster: Cluster
let work: string
/** Demo data with uploads; its server is stopped. */
let source: string
/** A backup of `source`, encrypted, with files and secrets. */
let backup: string
const uploads: { id: string; content: Buffer }[] = []
const servers: ServerProcess[] = []

const command = (name: string) => main.replace(/main\.js$/, `${name}.js`)
const run = (name: string, args: readonly string[], env: Record<string, string>) =>
  runBuilt(command(name), args, { env })

beforeAll(async () => {
  ;[main, cluster, work] = await Promise.all([buildServer(), startCluster(), newDataFolder()])
  source = await seededFolder(main, join(work, 'source'))
  backup = join(work, 'whole.backup')
  const server = await start({ DATA_DIR: source })
  const token = await signIn(server.url)
  for (const content of [PNG, LARGE]) uploads.push({ id: await upload(server.url, token, content), content })
  await end(server)
  const made = await run('backup', [backup, '--secrets'], { DATA_DIR: source, BACKUP_KEY: KEY })
  expect(made.output).toContain('(encrypted), read again and whole')
}, 180_000)
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  await cluster.remove()
  await removeData(work)
  await rm(dirname(main), { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(main, { PORT: '0', SEED: 'none', ...env })
  servers.push(server)
  return server
}
async function end(server: ServerProcess): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
}
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/mini/login/validate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'demo', password: 'Crm@2026', agree: true, deviceId: 'test' }),
  })
  return ((await answer.json()) as { data: { token: string } }).data.token
}
async function upload(url: string, authorization: string, content: Buffer): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'a.png')
  const answer = await fetch(`${url}/engine/web/file/upload`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  return ((await answer.json()) as { data: { id: string } }).data.id
}
async function read(url: string, path: string, authorization: string): Promise<Buffer> {
  const answer = await fetch(url + path, { headers: { authorization } })
  return Buffer.from(await answer.arrayBuffer())
}

let databases = 0
/** A new database whose owner may create roles and nothing else. */
async function newDatabase(): Promise<string> {
  const name = `put_back_${++databases}`
  await onServer(cluster.url, async (client) => {
    if (databases === 1) await client.query('create role keeper login createrole')
    await client.query(`create database ${name} owner keeper`)
  })
  const url = new URL(cluster.url)
  url.username = 'keeper'
  url.pathname = `/${name}`
  return url.href
}

/** Every row of every table, read by SQL of this test. */
async function contents(database: Database): Promise<Record<string, string>> {
  try {
    return await database.system(async (trx) => {
      await sql`set local timezone = 'UTC'`.execute(trx)
      const names = await sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname not in ('schema_migration', 'file_chunk', 'sync_change') order by 1`.execute(trx)
      const found: Record<string, string> = {}
      for (const { name } of names.rows) {
        const { rows } = await sql
          .raw<{ told: string }>(
            `select count(*) || ' ' || md5(coalesce(string_agg(md5(to_jsonb(t)::text), '' order by md5(to_jsonb(t)::text)), '')) as told from "${name}" t`,
          )
          .execute(trx)
        found[name] = rows[0]?.told ?? ''
      }
      return found
    })
  } finally {
    await database.close()
  }
}
const embedded = async (dataDir: string) =>
  createDatabase(await openEmbedded(dataDir, { print: (line) => expect(line).toBe(''), onError: fail }))
const inFolder = async (dataDir: string) => contents(await embedded(dataDir))
const onPostgresql = (url: string) => contents(createDatabase(openPostgresql(url, fail)))

async function expectServing(env: Record<string, string>): Promise<void> {
  const server = await start({ SECRETS_KEY: '', ...env })
  expect(server.output()).toContain('ready')
  const token = await signIn(server.url)
  const list = await fetch(`${server.url}/mini/customer/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: '{}',
  })
  expect(((await list.json()) as { data: { list: unknown[] } }).data.list.length).toBeGreaterThan(5)
  for (const { id, content } of uploads)
    expect((await read(server.url, `/engine/web/file/${id}`, token)).equals(content)).toBe(true)
  await end(server)
}

describe('a backup', () => {
  it(
    'is restored from the embedded database to PostgreSQL and back, every row equal, even after a killed restore, and the app works on both',
    long,
    async () => {
      const [DATABASE_URL, upDir, downDir] = [await newDatabase(), join(work, 'up'), join(work, 'down')]
      const before = await inFolder(source)

      const up = await run('restore', [backup], { DATABASE_URL, DATA_DIR: upDir, BACKUP_KEY: KEY })
      expect([up.code, up.output]).toEqual([
        0,
        expect.stringContaining('compared with the backup, row by row'),
      ])
      expect(await onPostgresql(DATABASE_URL)).toEqual(before)
      const again = join(work, 'again.backup')
      const saved = await run('backup', [again], { DATABASE_URL, DATA_DIR: upDir })
      expect([saved.code, saved.output]).toEqual([0, expect.stringContaining('not encrypted')])
      await interrupted([again], { DATA_DIR: downDir })
      const halfway = await start({ DATA_DIR: downDir })
      expect(await halfway.exited).toBe(1)
      expect(halfway.output()).toContain('did not come to its end: run it again')
      const down = await run('restore', [again], { DATA_DIR: downDir })
      expect([down.code, down.output]).toEqual([0, expect.stringContaining('secrets are not in this backup')])
      expect(await inFolder(downDir)).toEqual(before)

      expect(Object.keys(before).length).toBeGreaterThan(60)
      await expectServing({ DATABASE_URL, DATA_DIR: upDir })
      await expectServing({ DATA_DIR: downDir })
      for (const name of ['session-secret', 'secrets-key'])
        expect(await readFile(join(upDir, name), 'utf8')).toBe(await readFile(join(source, name), 'utf8'))
      expect((await stat(again)).mode & 0o777).toBe(0o600)
    },
  )

  it('is made while the server runs on the embedded database, and calls continue', async () => {
    const DATA_DIR = join(work, 'running')
    await cp(source, DATA_DIR, { recursive: true })
    const server = await start({ DATA_DIR })
    const token = await signIn(server.url)
    let [isOver, calls] = [false, 0]
    const calling = (async () => {
      for (; !isOver; calls++) await read(server.url, '/mini/user/detail', token)
    })()

    const saved = await run('backup', [join(work, 'running.backup')], { DATA_DIR })
    isOver = true
    await calling

    expect([saved.code, saved.output]).toEqual([0, expect.stringContaining('2 files')])
    expect(calls).toBeGreaterThan(1)
    await end(server)

    // The source server does not serve the restored database, so nobody waits for its notifications.
    const DATABASE_URL = await newDatabase()
    const put = await run('restore', [join(work, 'running.backup')], {
      DATABASE_URL,
      DATA_DIR: join(work, 'other'),
    })
    const { server_seen: servers } = await onPostgresql(DATABASE_URL)
    expect([put.code, servers?.split(' ')[0]]).toEqual([0, '0'])
  })

  it(
    'is read by the server itself while it runs on PGlite, which allows no second session',
    long,
    async () => {
      const DATA_DIR = join(work, 'pglite')
      const server = await start({ DATA_DIR, SEED: 'none', NODE_OPTIONS: WITHOUT_POSTGRESQL })

      const saved = await run('backup', [join(work, 'pglite.backup')], { DATA_DIR })

      expect(server.output()).toContain('WARNING: PostgreSQL does not run here')
      expect([saved.code, saved.output]).toEqual([0, expect.stringContaining('0 files')])
      const sign = JSON.parse(await readFile(join(DATA_DIR, 'operator.json'), 'utf8')) as { port: number }
      const stranger = await fetch(`http://127.0.0.1:${sign.port}/backup`, {
        headers: { authorization: 'x' },
      })
      expect(stranger.status).toBe(404)
      await end(server)
      await expect(access(join(DATA_DIR, 'operator.json'))).rejects.toThrow('ENOENT')
    },
  )

  it.each<[string, (file: string) => Promise<unknown>, Record<string, string>, string]>([
    ['cut off', (file) => truncate(file, 40_000), { BACKUP_KEY: KEY }, 'cut off'],
    [
      'changed in its last byte',
      async (file) => flip(file, (await stat(file)).size - 1),
      { BACKUP_KEY: KEY },
      'altered or damaged',
    ],
    ['opened without its key', async () => undefined, {}, 'is encrypted: set BACKUP_KEY'],
    ['opened with another key', async () => undefined, { BACKUP_KEY: 'x'.repeat(32) }, 'is not the key'],
    ['no backup at all', (file) => writeFile(file, 'hello'), {}, 'is no backup'],
  ])('that is %s is refused with a message before any change', async (_, harm, env, sentence) => {
    const [file, DATA_DIR] = [join(work, 'harmed.backup'), join(work, 'untouched')]
    await cp(backup, file)
    await harm(file)

    const { code, output } = await run('restore', [file], { DATA_DIR, ...env })

    expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
  })

  it('without encryption is also refused if it is truncated or changed', async () => {
    const file = join(work, 'open.backup')
    await run('backup', [file], { DATA_DIR: source })
    const { size } = await stat(file)
    expect((await run('restore', [file, '--check'], {})).output).toContain(
      'not encrypted: whoever has the file can read it; without the secrets: keep SESSION_SECRET and SECRETS_KEY elsewhere',
    )
    await flip(file, Math.floor(size / 2))
    expect((await run('restore', [file, '--check'], {})).output).toMatch(/damaged/)
    await truncate(file, Math.floor(size / 3))
    expect((await run('restore', [file, '--check'], {})).output).toMatch(/cut off/)
  })

  it('is only restored into an empty database', async () => {
    const DATABASE_URL = await newDatabase()
    await onServer(DATABASE_URL, (client) => client.query('create table mine (id int)'))
    const env = { DATA_DIR: join(work, 'elsewhere'), BACKUP_KEY: KEY }

    const filled = await run('restore', [backup], { ...env, DATABASE_URL })
    const used = await run('restore', [backup], { DATA_DIR: source, BACKUP_KEY: KEY })

    expect([filled.code, filled.output]).toEqual([
      1,
      expect.stringContaining('is not empty (it has the table mine)'),
    ])
    expect([used.code, used.output]).toEqual([1, expect.stringContaining('is there already')])
  })

  it('leaves an empty database if its restore is interrupted on a PostgreSQL server', async () => {
    const DATABASE_URL = await newDatabase()
    const env = { BACKUP_KEY: KEY, DATA_DIR: join(work, 'elsewhere') }
    await interrupted([backup], { ...env, DATABASE_URL })
    await onServer(DATABASE_URL, async (client) => {
      const tables = `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`
      await expect.poll(async () => (await client.query(tables)).rows[0].n).toBe(0)
    })
  })

  it(
    'is made by the server itself if configured, test-restored, and only the newest are kept',
    long,
    async () => {
      const [BACKUP_DIR, DATA_DIR] = [join(work, 'backups'), join(work, 'scheduled')]
      await mkdir(BACKUP_DIR)
      await cp(source, DATA_DIR, { recursive: true })
      for (const name of ['crm-2020-01-01T000000Z.backup', 'crm-2020-01-02T000000Z.backup', 'mine.backup'])
        await writeFile(join(BACKUP_DIR, name), '')
      const server = await start({ DATA_DIR, BACKUP_DIR, BACKUP_KEEP: '2', BACKUP_KEY: KEY })
      const kept = async () => (await readdir(BACKUP_DIR)).filter((name) => !name.endsWith('.part')).sort()
      await expect
        .poll(kept, { timeout: 60_000 })
        .toEqual(['crm-2020-01-02T000000Z.backup', expect.stringMatching(/^crm-20(?!20)/), 'mine.backup'])
      await end(server)

      const [, newest = ''] = await kept()
      const { code, output } = await run('restore', [join(BACKUP_DIR, newest), '--try'], {
        BACKUP_DIR,
        BACKUP_KEY: KEY,
      })

      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/for trial and compared.*\n\d+ rows in \d+ tables, 2 files/),
      ])
      expect(await kept()).toHaveLength(3)
      const database = await embedded(DATA_DIR)
      const runs = await database.system((trx) => newestRuns(trx))
      await database.close()
      expect(runs).toMatchObject([
        { kind: 'backup', ok: true, file: newest, message: expect.stringContaining('read again') },
      ])
    },
  )

  it('contains secrets only if it is encrypted, and never overwrites a file', async () => {
    const secrets = await run('backup', [join(work, 'x.backup'), '--secrets'], { DATA_DIR: source })
    const twice = await run('backup', [backup], { DATA_DIR: source })
    const nothing = await run('backup', [join(work, 'y.backup')], { DATA_DIR: join(work, 'nothing') })

    expect([secrets.code, secrets.output]).toEqual([1, expect.stringContaining('--secrets needs BACKUP_KEY')])
    expect([twice.code, twice.output]).toEqual([1, expect.stringContaining('is there already')])
    const away = await run('backup', [join(work, 'unmounted', 'z.backup')], { DATA_DIR: source })
    expect([nothing.code, nothing.output]).toEqual([1, expect.stringContaining('there is no database in')])
    expect([away.code, away.output]).toEqual([
      1,
      expect.stringContaining(`there is no folder ${join(work, 'unmounted')}: make it`),
    ])
  })
})

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(file, bytes)
}

/** Runs a restore and kills it while it writes. */
async function interrupted(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [command('restore'), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const over = new Promise((done) => child.once('exit', (_, signal) => done(signal)))
  child.stderr.on('data', (said: Buffer) => {
    if (said.toString().includes('customer')) child.kill('SIGKILL')
  })
  expect(await over).toBe('SIGKILL')
}
