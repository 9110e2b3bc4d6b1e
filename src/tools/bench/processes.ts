import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Cluster } from '../cluster.ts'

/** Starts Node with `args` and waits for its message on standard output. */
export async function start(
  started: ChildProcess[],
  args: readonly string[],
  readyPattern: RegExp,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly pid: number; readonly captured: string }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  let out = ''
  const captured = await new Promise<string>((found, fail) => {
    child.once('exit', () => fail(new Error(`${args.at(-1)} ended before it was ready`)))
    child.stdout?.on('data', (part: Buffer) => {
      out += String(part)
      const [, word] = readyPattern.exec(out) ?? []
      if (word !== undefined) found(word)
    })
  })
  return { pid: child.pid ?? 0, captured }
}

/** Our server of the checkout `root` with demo data, in a new database of the cluster. `captured` is its address, `database` the URL of its database. */
export async function startSeeded(
  started: ChildProcess[],
  {
    root,
    name,
    cluster,
    folder,
  }: { readonly root: string; readonly name: string; readonly cluster: Cluster; readonly folder: string },
): Promise<{ readonly pid: number; readonly captured: string; readonly database: string }> {
  await query(cluster.url, `create database ${name}`)
  const database = new URL(`/${name}`, cluster.url).href
  const server = await start(started, [join(root, 'dist/server/main.js')], /ready (http\S+)/, {
    DATABASE_URL: database,
    DATA_DIR: join(folder, name),
    PORT: '0',
    SEED: 'demo',
    RATE_LIMITS: 'off',
  })
  return { ...server, database }
}

/** One statement in a separate session. */
export async function query(url: string, text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text, [...values])
  await client.end()
  return rows
}

/** CPU time of a process so far, of all its threads, by the clock of the scheduler: that of `stat` counts in steps of 10 ms. Linux only. */
export async function processorMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const each = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0'),
  )
  const nanoseconds = (await Promise.all(each)).map((text) => Number(text.split(' ')[0]))
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

/** CPU time so far of each session of a database, by the name PostgreSQL gives its process. */
export async function sessionsMs(name: string): Promise<ReadonlyMap<string, number>> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const found = new Map<string, number>()
  for (const pid of pids) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (new RegExp(`^postgres: \\S+ ${name} `).test(line)) found.set(pid, await processorMs(Number(pid)))
  }
  return found
}

/** CPU time of sessions between two measurements; sessions that ended in between are left out. */
export function tookMs(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
}
