import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments, refuseUse } from '../server/kernel/config/command.ts'
import { startCluster } from './cluster.ts'

/*
 * `npm run previous -- COMMIT [FILES…]`: runs the server tests of an earlier version, with its own packages, on the current schema, as its servers do
 * during a rolling update. CI runs a check of seconds instead: tests/server/platform/rolling.test.ts.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MIGRATIONS = 'src/server/kernel/migrations'
const SUITES = ['tests/server/business', 'tests/server/business5', 'tests/server/model']

const USAGE =
  'usage: npm run previous -- COMMIT [FILES…] (the server tests of an earlier version on the current schema)'

const { positionals } = readArguments(
  USAGE,
  { allowPositionals: true },
  (given) => given.positionals.length > 0,
)
const [name = '', ...files] = positionals
const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
  cwd: ROOT,
  encoding: 'utf8',
})
if (found.status !== 0) refuseUse(USAGE, `there is no commit ${name}`)
const commit = found.stdout.trim()

const folder = await mkdtemp(join(tmpdir(), 'crm-previous-'))
const cluster = await startCluster()
let code = 1
try {
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 }),
  })
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  for (const name of await readdir(join(ROOT, MIGRATIONS)))
    await copyFile(join(ROOT, MIGRATIONS, name), join(folder, MIGRATIONS, name))
  const suites = files.length > 0 ? files : SUITES
  const ran = spawnSync('npx', ['vitest', 'run', ...suites.map((file) => join(folder, file))], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: cluster.url },
  })
  code = ran.status ?? 1
} finally {
  await cluster.remove()
  await rm(folder, { recursive: true, force: true })
}
process.exit(code)
