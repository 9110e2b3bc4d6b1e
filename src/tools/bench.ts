import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { acceptRatios, overBudget, readBudgets } from './bench/budgets.ts'
import { buildPages } from './bench/build-pages.ts'
import { measure, type Setting, type Subject } from './bench/measure.ts'
import { benchOwnWrites } from './bench/own-writes.ts'
import { servePages } from './bench/serve-pages.ts'
import { benchServer } from './bench/server.ts'
import { type Measured, tablesOf } from './bench/table.ts'
import { benchRoom, benchWorkbench } from './bench/workbench.ts'
import { launchChromium } from './browser.ts'

/**
 * `npm run bench -- server`: our server compared with hand-written handlers (`bench/server.ts`). `--check` fails if a call costs more than the
 * accepted ratio (`src/bench/budgets.json`, which has budgets for the server), `--accept` stores the ratios of this run, `--beside FOLDER` compares
 * with another version, built in that folder, instead. `npm run bench -- own`:
 * writes with a tenant's own fields (`bench/own-writes.ts`). `npm run bench -- workbench`: edits of a page of 1,000 widgets, in the core and in a
 * browser (`bench/workbench.ts`); fails if one exceeds its limit. `npm run bench`: the same forms and tasks for our page, hand-written React and
 * plain DOM, compared in one run. Options: `--n 50,200,1000`, `--r 100`, `--cpu 1,4`, `--rounds 3`, `--write` (puts the tables into
 * runtime/BENCH.md). If BENCH_PEERS, or ../shared/bench-peers, has the external harness with its node_modules, it is run as well; its RESULTS.md is
 * written to dist-bench.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BASE = 'hand-written React'

const {
  values: given,
  positionals: [what],
} = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: 'string', default: '50,200,1000' },
    r: { type: 'string', default: '100' },
    cpu: { type: 'string', default: '1,4' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    accept: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
})
const numbers = (text: string): readonly number[] => text.split(',').map(Number)

if (what === 'server' || (what === undefined && given.check)) {
  const { table, ratios } = await benchServer(ROOT, given.beside)
  console.log(table)
  // Budgets are ratios to the hand-written handlers.
  if (given.beside !== undefined) process.exit()
  if (given.accept) await acceptRatios(ROOT, 'server', ratios)
  const over = given.check ? overBudget((await readBudgets(ROOT)).server, ratios) : []
  if (over.length > 0) console.error(`more than was accepted:\n${over.join('\n')}`)
  process.exit(over.length > 0 ? 1 : 0)
}
if (what === 'own') {
  console.log(await benchOwnWrites(ROOT))
  process.exit()
}
if (what === 'workbench') {
  const told = [benchWorkbench(1000), await benchRoom(ROOT, 1000)]
  console.log(`${told.map(({ table }) => table).join('\n\n')}\n\nload ${loadavg()[0]?.toFixed(1)}`)
  const late = told.flatMap((one) => one.late)
  for (const name of late) console.error(`too slow: ${name}`)
  process.exit(late.length > 0 ? 1 : 0)
}
const built = await buildPages(ROOT)
const server = await servePages(built)
const subject = (id: string, title: string, page: string, variant: Subject['variant'] = 'rule'): Subject => ({
  id,
  title,
  url: `${server.origin}/${page}/index.html`,
  variant,
})
const subjects = [
  subject('hand', BASE, 'hand'),
  subject('dom', 'plain DOM', 'dom'),
  subject('ours-rule', 'ours, by rules', 'ours'),
  subject('ours-hook', 'ours, by hooks', 'ours', 'hook'),
]
const browser = await launchChromium()
const taken: Measured[] = []
for (let round = 0; round < Number(given.rounds); round += 1) {
  for (const setting of settings()) {
    for (const one of subjects) {
      // Only S has a field that appears and disappears; in H other fields are written by a hook or by hand.
      if (setting.kind === 'H' ? one.id === 'ours-rule' : setting.kind === 'T' && one.id === 'ours-hook')
        continue
      taken.push({ subject: one, setting, values: await measure(browser, one, setting) })
    }
    console.error(
      `round ${round + 1}: ${setting.kind}(${setting.size}) at ${setting.cpu}×, load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
}
const version = browser.version()
await browser.close()
server.close()

const tables = tablesOf(taken, BASE)
const head = `${new Date().toISOString().slice(0, 10)}, Chromium ${version}, Node ${process.version}, ${given.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`
console.log(`${head}\n\n${tables}`)
if (given.write) await writeTables(`${head}\n\n${tables}`)
await runPeers()

function settings(): readonly Setting[] {
  const each = (kind: Setting['kind'], sizes: string): readonly Setting[] =>
    numbers(sizes).flatMap((size) => numbers(given.cpu).map((cpu) => ({ kind, size, cpu })))
  return [...each('S', given.n), ...each('V', given.n), ...each('H', given.n), ...each('T', given.r)]
}

/** Replaces the text between the marks of runtime/BENCH.md. */
async function writeTables(text: string): Promise<void> {
  const file = join(ROOT, 'runtime/BENCH.md')
  const before = await readFile(file, 'utf8')
  await writeFile(
    file,
    before.replace(
      /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/,
      (_, start, end) => `${start}\n${text}\n${end}`,
    ),
  )
}

async function runPeers(): Promise<void> {
  const folder = process.env.BENCH_PEERS ?? join(ROOT, '../shared/bench-peers')
  if (!existsSync(join(folder, 'node_modules'))) {
    console.error(`no peers: ${folder} is absent or has no node_modules`)
    return
  }
  await mkdir(join(ROOT, 'dist-bench'), { recursive: true })
  const page = join(ROOT, 'dist-bench')
  await run('npx', ['vite', 'build', '--mode', 'bench', '--logLevel', 'error'], ROOT)
  await run(
    process.execPath,
    [
      'run.mjs',
      '--ours',
      page,
      '--n',
      given.n,
      '--r',
      given.r,
      '--cpu',
      given.cpu,
      '--rounds',
      given.rounds,
      '--out',
      page,
    ],
    folder,
  )
}

function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { cwd, stdio: 'inherit' }).on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    )
  })
}
