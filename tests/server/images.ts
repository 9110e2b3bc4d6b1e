import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import pg from 'pg'
import { DEMO_PASSWORD, seedAccounts } from '../../src/server/http/seed/accounts.ts'
import { seedDemo } from '../../src/server/http/seed/index.ts'
import { createDatabase, type Database } from '../../src/server/kernel/db/database.ts'
import { PGLITE_OPTIONS, pgliteSource } from '../../src/server/kernel/db/embedded/pglite.ts'
import { FolderInUse, lockFolder } from '../../src/server/kernel/db/folder-lock.ts'
import { migrate } from '../../src/server/kernel/db/migrate.ts'
import { openPostgresql } from '../../src/server/kernel/db/postgresql.ts'

/** The contents of a database after all migrations. Creating them takes seconds: it is done once per state of the server's files, and copied. */
export interface Image {
  readonly name: string
  readonly fill: (database: Database) => Promise<unknown>
}

export const EMPTY: Image = { name: 'empty', fill: (database) => migrate(database) }
/** The demo tenants and people without business records. */
export const PEOPLE: Image = {
  name: 'people',
  async fill(database) {
    await database.system(seedAccounts)
    await quickSignIn(database)
  },
}
/** Copies a template by its files, not row by row through the log: a third of the time where nothing is flushed to disk. */
export const COPY = 'strategy file_copy'
/** The demo data as created at the start time of the test servers. */
export const START = '2026-03-16T02:00:00Z'
export const DEMO: Image = {
  name: 'demo',
  async fill(database) {
    await seedDemo(database, new Date(START))
    await quickSignIn(database)
  },
}

const OUTPUT = join(import.meta.dirname, '../output/images')
const SERVER = join(import.meta.dirname, '../../src/server')
/** Partitions the largest tables by tenant, to run the suites on partitions (SCALE.md). */
const PARTITIONS = join(import.meta.dirname, '../support/partitions.sql')
const WAIT_MS = 100
const DAY_MS = 86_400_000
/** 'crmi' – the advisory lock of all processes that create images. */
const LOCK = 0x63726d69
/** Small databases are copied quickly: without clearing a cache of 128 MB, a log of 16 MB and more, and other databases. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB', '-c', 'wal_recycle=off']
const SMALL_LOG = ['--wal-segsize=1']
const LEFT_OUT = ['template0', 'template1']

const read = new Map<string, Promise<Blob>>()
const templates = new Map<string, Promise<string>>()
let state: Promise<string> | null = null

/** A new embedded database with the contents of the image. */
export async function openImage(image: Image): Promise<PGlite> {
  return PGlite.create({ ...PGLITE_OPTIONS, startParams: START_PARAMS, loadDataDir: await imageOf(image) })
}

function imageOf(image: Image): Promise<Blob> {
  const known = read.get(image.name) ?? imageFile(image)
  read.set(image.name, known)
  return known
}

/** The database of a PostgreSQL server to copy the image from (`create database … template …`). */
export function templateOf(image: Image, server: string): Promise<string> {
  const known = templates.get(image.name) ?? makeTemplate(image, server)
  templates.set(image.name, known)
  return known
}

async function imageFile(image: Image): Promise<Blob> {
  const file = join(OUTPUT, `${image.name}-${await serverState()}.tar`)
  const kept = () => readFile(file).catch(() => null)
  await mkdir(OUTPUT, { recursive: true })
  if (image !== EMPTY) await imageOf(EMPTY)
  for (;;) {
    const found = await kept()
    if (found !== null) return new Blob([found])
    const release = await lockFolder(OUTPUT).catch((error: unknown) => {
      if (error instanceof FolderInUse) return null
      throw error
    })
    if (release === null) await new Promise((done) => setTimeout(done, WAIT_MS))
    else
      try {
        if ((await kept()) === null) await writeImage(image, file)
      } finally {
        await release()
      }
  }
}

async function writeImage(image: Image, file: string): Promise<void> {
  for (const name of await readdir(OUTPUT))
    if (name.startsWith(`${image.name}-`)) await rm(join(OUTPUT, name), { force: true })
  const pglite = await (image === EMPTY
    ? PGlite.create({ ...PGLITE_OPTIONS, startParams: START_PARAMS, initDbStartParams: SMALL_LOG })
    : openImage(EMPTY))
  const database = createDatabase(pgliteSource(pglite))
  await image.fill(database)
  if (image === EMPTY) await pglite.exec('update pg_database set datistemplate = false')
  if (image === EMPTY) for (const name of LEFT_OUT) await pglite.exec(`drop database ${name}`)
  await pglite.exec('checkpoint')
  const tar = await pglite.dumpDataDir('none')
  await writeFile(`${file}.new`, Buffer.from(await tar.arrayBuffer()))
  await rename(`${file}.new`, file)
  await database.close()
}

/** How the names of all images of a day begin (UTC). */
function imagesOf(day: Date): string {
  return `crm_image_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** Those images of a PostgreSQL server that no run uses any more: a run that began before midnight still copies the images of yesterday. */
export function outdatedImages(names: readonly string[], now: Date): readonly string[] {
  const used = [now, new Date(now.getTime() - DAY_MS)].map(imagesOf)
  return names.filter((name) => !used.some((begin) => name.startsWith(begin)))
}

async function makeTemplate(image: Image, server: string): Promise<string> {
  const name = `${imagesOf(new Date())}_${image.name}_${await serverState()}`
  const from = image === EMPTY ? '' : `template ${await templateOf(EMPTY, server)}`
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'crm\\_image\\_%'`,
    )
    const there = rows.map(({ datname }) => datname)
    if (there.includes(name)) return
    // One whose creator was killed too. Somebody may still be using it.
    for (const old of [...outdatedImages(there, new Date()), `${name}_new`])
      await client.query(`drop database if exists ${old}`).catch(() => undefined)
    await client.query(`create database ${name}_new ${from} ${COPY}`)
    const url = new URL(server)
    url.pathname = `/${name}_new`
    const database = createDatabase(openPostgresql(url.href, fail, { waitMs: TEST_WAIT_MS }))
    await image.fill(database)
    await database.close()
    if (image === EMPTY && process.env.PARTITIONED === 'yes')
      await onServer(url.href, async (session) => session.query(await readFile(PARTITIONS, 'utf8')))
    await client.query(`alter database ${name}_new rename to ${name}`)
  })
  return name
}

/** Changes with any file of the server, since the data of an image is created by most of it. */
function serverState(): Promise<string> {
  state ??= hashOf(SERVER)
  return state
}

async function hashOf(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(relative(folder, file)).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Lets demo people sign in for little: tests do it a thousand times. A password is verified at the cost that its hash names, which is the least one
 * here; the cost of the product's own hashes is tested in unit/server/password.test.ts.
 */
async function quickSignIn(database: Database): Promise<void> {
  const cheap = await hash(DEMO_PASSWORD, { memoryCost: 8, timeCost: 1 })
  await database.system((trx) => sql`update app_user set password_hash = ${cheap} where is_demo`.execute(trx))
}

/** One session on the PostgreSQL server itself. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Tests run many statements at once, on busy machines. */
export const TEST_WAIT_MS = 60_000

/** Handles connection errors that nobody awaits. */
export function fail(error: Error): never {
  throw error
}
