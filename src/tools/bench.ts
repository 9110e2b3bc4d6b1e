import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../server/kernel/config/command.ts'
import {
  acceptCosts,
  type Budgets,
  type Costs,
  missedGoals,
  overBudget,
  readBudgets,
} from './bench/budgets.ts'
import { benchForms, isInScope } from './bench/forms.ts'
import { benchOwnWrites } from './bench/own-writes.ts'
import { benchServer } from './bench/server.ts'
import { benchRoom, benchWorkbench } from './bench/workbench.ts'

/**
 * `npm run bench`: the same forms and tasks for our page, hand-written React and plain DOM, compared in one run (`bench/forms.ts`), and which cells
 * miss their goals. Options: `--n 50,200,1000`, `--r 20`, `--cpu 1,4`, `--rounds 3`, `--write` (puts the tables into runtime/BENCH.md). If
 * BENCH_PEERS, or ../shared/bench-peers, has the external harness with its node_modules, it is run as well; its RESULTS.md is written to dist-bench.
 * `npm run bench -- server`: our server compared with hand-written handlers (`bench/server.ts`); `--beside FOLDER` compares with another version,
 * built in that folder, instead.
 * `--check` fails if anything costs more than the accepted ratio (`src/bench/budgets.json`), `--accept` stores the ratios of this run: both for the
 * server after `server`, for forms after `forms` (no peers), for both otherwise.
 * `npm run bench -- own`: writes with a tenant's own fields (`bench/own-writes.ts`). `npm run bench -- workbench`: edits of a page of 1,000 widgets,
 * in the core and in a browser (`bench/workbench.ts`); fails if one exceeds its limit.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const USAGE =
  'usage: npm run bench -- [forms | server | own | workbench] [--n 50,200,1000] [--r 20] [--cpu 1,4] [--rounds 3] [--write] [--check] [--accept], or npm run bench -- server --beside FOLDER'
const PARTS: ReadonlySet<string | undefined> = new Set([undefined, 'forms', 'server', 'own', 'workbench'])
const NUMBERS = /^[1-9]\d*(?:,[1-9]\d*)*$/

const {
  values: given,
  positionals: [what],
} = readArguments(
  USAGE,
  {
    allowPositionals: true,
    options: {
      n: { type: 'string', default: '50,200,1000' },
      r: { type: 'string', default: '20' },
      cpu: { type: 'string', default: '1,4' },
      rounds: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      accept: { type: 'boolean', default: false },
      beside: { type: 'string' },
    },
  },
  ({ values: { n, r, cpu, rounds, beside }, positionals: [part, ...more] }) =>
    PARTS.has(part) &&
    more.length === 0 &&
    [n, r, cpu].every((list) => NUMBERS.test(list)) &&
    /^[1-9]\d*$/.test(rounds) &&
    (beside === undefined || part === 'server'),
)
const numbers = (text: string): readonly number[] => text.split(',').map(Number)

const isBudgeted = given.check || given.accept
const over: string[] = []
/**
 * Compares a part with its budgets, and accepts it if asked to.
 *
 * @param isMeasured  the cells that belong to this run
 * @returns a sentence for each goal that is missed
 */
async function weigh(
  part: keyof Budgets,
  costs: Costs,
  isMeasured = (_: string) => true,
): Promise<readonly string[]> {
  const all = Object.entries((await readBudgets(ROOT))[part])
  const budgets = Object.fromEntries(all.filter(([cell]) => isMeasured(cell)))
  const missed = missedGoals(budgets, costs)
  if (missed.length > 0) console.log(`\nmissed goals:\n${missed.join('\n')}`)
  if (given.accept) await acceptCosts(ROOT, part, costs)
  if (given.check) over.push(...overBudget(budgets, costs))
  return missed
}
function exit(): never {
  if (over.length > 0) console.error(`\nmore than was accepted:\n${over.join('\n')}`)
  process.exit(over.length > 0 ? 1 : 0)
}

if (what === 'server' || (what === undefined && isBudgeted)) {
  const { table, costs } = await benchServer(ROOT, given.beside)
  console.log(table)
  // Budgets are ratios to the hand-written handlers.
  if (given.beside === undefined) await weigh('server', costs)
  if (what === 'server') exit()
}
if (what === 'own') {
  console.log(await benchOwnWrites(ROOT))
  process.exit()
}
if (what === 'workbench') {
  const results = [benchWorkbench(1000), await benchRoom(ROOT, 1000)]
  console.log(`${results.map(({ table }) => table).join('\n\n')}\n\nload ${loadavg()[0]?.toFixed(1)}`)
  const tooSlow = results.flatMap((result) => result.tooSlow)
  for (const name of tooSlow) console.error(`too slow: ${name}`)
  process.exit(tooSlow.length > 0 ? 1 : 0)
}
const scope = {
  fields: numbers(given.n),
  rows: numbers(given.r),
  cpu: numbers(given.cpu),
  rounds: Number(given.rounds),
}
const { tables, costs } = await benchForms(ROOT, scope)
console.log(tables)
const missed = await weigh('forms', costs, (cell) => isInScope(cell, scope))
if (given.write) await writeTables([tables, '### Missed goals', missed.map((line) => `- ${line}`).join('\n')])
if (what !== 'forms' && !isBudgeted) await runPeers()
exit()

/** Replaces the text between the marks of runtime/BENCH.md. */
async function writeTables(parts: readonly string[]): Promise<void> {
  const file = join(ROOT, 'runtime/BENCH.md')
  const before = await readFile(file, 'utf8')
  await writeFile(
    file,
    before.replace(
      /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/,
      (_, start, end) => `${start}\n${parts.join('\n\n')}\n${end}`,
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
