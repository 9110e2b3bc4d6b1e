import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import packageJson from '../../package.json' with { type: 'json' }
import { readArguments } from '../server/kernel/config/command.ts'
import { buildStale } from './build.ts'
import { startCluster } from './cluster.ts'
import { endOne, startOne } from './load/servers.ts'
import { BUILT } from './load/torture-client.ts'
import { fillNew } from './release-data.ts'

/*
 * `npm run release`: makes a release of the checked out version. The built server migrates the newest released database, data of new features is
 * written into it (release-data.ts), and it is stored as a file beside the others, together with every statement of this version. The section
 * Unreleased in CHANGELOG.md gets today's date. Needs the programs of PostgreSQL 15, whose dumps every supported version can read.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PLATFORM = join(ROOT, 'tests/server/platform')
const DATABASES = join(PLATFORM, 'released')
const STATEMENTS = join(PLATFORM, 'released-statements')
const CHANGELOG = join(ROOT, 'CHANGELOG.md')
const WRITTEN_BY = / 15\./
/** `last_good` only contains copies of the server's own files. */
const WRITE = ['--inserts', '--rows-per-insert=1000', '--no-owner', '--exclude-table-data=last_good']

readArguments('usage: npm run release (makes a release of today; CONTRIBUTING.md, "Releases")', {})

const name = new Date().toISOString().slice(0, 10)
const changes = await readFile(CHANGELOG, 'utf8')
if (!/^## Unreleased\n\n- /m.test(changes))
  throw new Error('nothing stands under "## Unreleased" in CHANGELOG.md')
if (changes.includes(`\n## ${name} `)) throw new Error(`there is a release of ${name}`)

await buildStale()
await writeFile(join(DATABASES, `${name}.sql.gz`), gzipSync(await nextDatabase(), { level: 9 }))
await keepStatements()
await writeFile(
  CHANGELOG,
  changes.replace('## Unreleased\n', `## Unreleased\n\n## ${name} (${packageJson.version})\n`),
)
process.stdout.write(`release ${name} (${packageJson.version})\n`)

/** The newest released database after this version has worked on it, as `pg_dump` writes it, without lines for psql. */
async function nextDatabase(): Promise<string> {
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'crm-release-'))
  try {
    const dump = join(cluster.from, 'pg_dump')
    const written = execFileSync(dump, ['--version'], { encoding: 'utf8' })
    if (!WRITTEN_BY.test(written)) throw new Error(`PostgreSQL 15 is needed, and found was ${written}`)
    await execute(cluster.url, 'create role crm_app nologin', 'create role crm_system nologin')
    await execute(cluster.url, 'create database released')
    const url = cluster.url.replace(/postgres$/, 'released')
    await execute(url, await newestDatabase())
    const server = await startOne(BUILT, { DATABASE_URL: url, DATA_DIR: folder, SEED: 'none' })
    try {
      await fillNew(server.url)
    } finally {
      await endOne(server, 'SIGTERM')
    }
    const text = execFileSync(dump, [...WRITE, url], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    })
    return text.replace(/^\\.*\n/gm, '')
  } finally {
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The released database with the most migrations. */
async function newestDatabase(): Promise<string> {
  const texts = await Promise.all(
    (await readdir(DATABASES)).map(async (file) =>
      gunzipSync(await readFile(join(DATABASES, file))).toString(),
    ),
  )
  const made = (text: string): number => new Set(text.match(/'\d{4}-[\w-]+\.sql'/g)).size
  return texts.reduce((newest, one) => (made(one) > made(newest) ? one : newest))
}

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Servers of older releases are not run beside those of the next one: only this version's statements are kept. */
async function keepStatements(): Promise<void> {
  for (const file of await readdir(STATEMENTS)) await rm(join(STATEMENTS, file))
  const ran = spawnSync('npx', ['vitest', 'run', '../tests/server/fuzz/calls.test.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, SAID_TO: join(STATEMENTS, `${name}.json.gz`) },
  })
  if (ran.status !== 0) throw new Error('the test that collects the statements failed')
}
