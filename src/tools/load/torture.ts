import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../server/kernel/config/command.ts'
import { buildStale } from '../build.ts'
import { removeData } from '../remove-data.ts'
import { startBalancer } from './balancer.ts'
import { startHaproxy } from './haproxy.ts'
import { type Servers, startEmbedded, startServerCluster } from './servers.ts'
import { BUILT, type Counted, counted, createClient } from './torture-client.ts'
import {
  type AcknowledgedWrites,
  endImports,
  KINDS,
  KINDS_WITH_IMPORTS,
  type Kind,
  preparePeople,
} from './torture-writes.ts'

export interface TortureParts {
  readonly servers: Servers
  /** Number of kills: of a server, and at intervals of the database. */
  readonly rounds: number
  /** Default: 5. */
  readonly databaseEvery?: number
  /** Also imports sheets. Imports of a killed server continue minutes later, and are waited for. */
  readonly withImports?: boolean
  readonly print: (line: string) => void
}

/** The result. All lists except `acknowledged` and `backMs` should be empty. */
export interface Tortured extends Counted {
  /** Answers that were neither success nor "later". */
  readonly refused: readonly string[]
  /** Time from each kill to the next acknowledged write, in milliseconds. */
  readonly backMs: readonly number[]
  /** The longest time for one write. */
  readonly longestMs: number
}

const WRITERS = 4
const MIN_MS = 100
const MAX_MS = 900
/** Writes acknowledged before each kill: a busy machine needs longer than {@link MAX_MS} for them. */
const MIN_WRITES = 3

/**
 * Kills servers and their database while several people write as phones do: calls without an answer are repeated with their token until they have
 * one. Then every write must exist exactly once. Linux and macOS.
 */
export async function torture({
  servers,
  rounds,
  databaseEvery = 5,
  withImports = false,
  print,
}: TortureParts): Promise<Tortured> {
  const room = createClient(servers)
  const written: AcknowledgedWrites = { tokens: new Map(), files: new Map(), imports: new Map(), refused: [] }
  const kinds = withImports ? KINDS_WITH_IMPORTS : KINDS
  const backMs: number[] = []
  let longestMs = 0
  let killedAt: number | null = null
  let sinceKill = 0
  const acknowledged = (): void => {
    sinceKill += 1
    if (killedAt !== null) backMs.push(performance.now() - killedAt)
    killedAt = null
  }
  const people = await preparePeople(room)
  let isOver = false
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const person = writer % 2 === 0 ? people.seller : people.manager
    for (let n = 0; !isOver; n += 1) {
      const kind = kinds[(writer + n) % kinds.length] as Kind
      const begun = performance.now()
      await kind.write({ ...people, room, writer: person, token: `torture-${writer}-${n}`, written })
      longestMs = Math.max(longestMs, performance.now() - begun)
      acknowledged()
    }
  })
  for (let round = 1; round <= rounds; round += 1) {
    await pause(MIN_MS + Math.random() * (MAX_MS - MIN_MS))
    while (sinceKill < MIN_WRITES) await pause(10)
    sinceKill = 0
    killedAt = performance.now()
    await (round % databaseEvery === 0 ? servers.killDatabase() : servers.killServer())
    while (killedAt !== null) await pause(10)
    if (round % 10 === 0) print(`${round} kills, ${written.tokens.size + written.files.size} writes`)
  }
  isOver = true
  await Promise.all(writers)
  const broken = await endImports(room, written)
  const counts = await counted(written, kinds, { room, databaseUrl: await servers.databaseUrl() })
  return { ...counts, refused: [...written.refused, ...broken], backMs, longestMs }
}

/**
 * One server with the embedded database, or several on a PostgreSQL behind our own proxy or HAProxy; or `power-cut.ts`.
 */
const USAGE =
  'usage: npm run torture -- [ROUNDS] [SERVERS] [haproxy], or npm run torture -- power [CUTS], with whole numbers from 1 (100, 1, 5)'

const isCount = (word: string | undefined): boolean => word === undefined || /^[1-9]\d{0,5}$/.test(word)

function isUsage([first, second, third, ...more]: readonly string[]): boolean {
  if (more.length > 0 || !isCount(second)) return false
  if (first === 'power') return third === undefined
  return isCount(first) && (third === undefined || (third === 'haproxy' && second !== '1'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals } = readArguments(USAGE, { allowPositionals: true }, (given) =>
    isUsage(given.positionals),
  )
  const [first, second, third] = positionals
  if (first === 'power') await import('./power-cut.ts').then(({ cutPower }) => cutPower(Number(second ?? 5)))
  else await main(Number(first ?? 100), Number(second ?? 1), third === 'haproxy')
}

async function main(rounds: number, count: number, isBehindHaproxy: boolean): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  await buildStale()
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-torture-'))
  const before = isBehindHaproxy ? startHaproxy : startBalancer
  const servers =
    count > 1 ? await startServerCluster({ main: BUILT, count, before }) : await startEmbedded(BUILT, dataDir)
  try {
    const { acknowledged, lost, twice, refused, backMs, longestMs } = await torture({
      servers,
      rounds,
      withImports: true,
      print: print,
    })
    const sorted = [...backMs].sort((a, b) => a - b)
    const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0)
    print(
      `${rounds} kills, ${count} servers: ${acknowledged} writes acknowledged, ${lost.length} lost, ${twice.length} twice, ${refused.length} refused; a write again after ${at(0.5)} ms, at most ${at(1)} ms; nobody waited longer than ${longestMs.toFixed(0)} ms`,
    )
    for (const one of [...lost, ...twice, ...refused].slice(0, 20)) print(one)
    process.exitCode = lost.length + twice.length + refused.length === 0 ? 0 : 1
  } finally {
    await servers.end()
    await removeData(dataDir)
  }
}
