import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { cp, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { buildStale } from '../build.ts'
import { removeData } from '../remove-data.ts'
import { startEmbedded } from './servers.ts'
import { BUILT, counted, createClient } from './torture-client.ts'
import { type AcknowledgedWrites, KINDS, type Kind, preparePeople } from './torture-writes.ts'
import { createTraceReader, type DiskEvent, readTracedDisk, STRACE } from './traced-disk.ts'

const MIN_MS = 1_000
const MAX_MS = 4_000

/** The acknowledged writes at a point in time. */
interface Moment {
  /** Seconds since the epoch. */
  readonly at: number
  readonly tokens: AcknowledgedWrites['tokens']
  readonly files: AcknowledgedWrites['files']
}

/**
 * Simulates power losses of a server with the embedded database: its system calls are traced (`strace`, Linux) while people write. For several points
 * in time the folder is reconstructed as on disk, without anything that was not synced, and with random parts of it. A server is started on each
 * copy, and all writes acknowledged by then must exist exactly once.
 */
export async function cutPower(cuts: number): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  await buildStale()
  const work = await realpath(await mkdtemp(join(tmpdir(), 'crm-power-')))
  const [dataDir, base, trace] = ['data', 'base', 'trace'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ]
  try {
    await (await startEmbedded(BUILT, dataDir)).end()
    await cp(dataDir, base, { recursive: true })
    const moments = await writeTraced(dataDir, trace, cuts)
    const events = await eventsOf(trace, join(dataDir, 'postgresql/db'))
    print(`${events.length} changes of files traced`)
    const disk = await readTracedDisk(dataDir, base)
    let done = 0
    for (const { at, ...acknowledged } of moments) {
      for (; (events[done]?.at ?? Number.POSITIVE_INFINITY) <= at; done += 1)
        disk.apply(events[done] as DiskEvent)
      for (const chance of [undefined, Math.random]) {
        const leftFolder = join(work, 'left')
        await disk.leave(leftFolder, chance)
        const wrong = await lookAfter(leftFolder, acknowledged)
        const count = acknowledged.tokens.size + acknowledged.files.size
        print(
          `power cut ${chance === undefined ? 'with nothing' : 'with some'} unsynced: ${count} writes acknowledged, ${wrong.length} lost or twice`,
        )
        for (const one of wrong.slice(0, 10)) print(one)
        if (wrong.length > 0) process.exitCode = 1
        await removeData(leftFolder)
      }
    }
  } finally {
    await removeData(work)
  }
}

/** Runs a traced server while people write. @returns points in time in between */
async function writeTraced(dataDir: string, trace: string, cuts: number): Promise<readonly Moment[]> {
  const server = await startEmbedded(BUILT, dataDir, ['strace', ...STRACE, '-o', trace])
  const room = createClient(server)
  const written: AcknowledgedWrites = { tokens: new Map(), files: new Map(), imports: new Map(), refused: [] }
  const people = await preparePeople(room)
  let isOver = false
  const writers = [people.seller, people.manager].map(async (writer, at) => {
    for (let n = 0; !isOver; n += 1) {
      const kind = KINDS[(at + n) % KINDS.length] as Kind
      await kind.write({ ...people, room, writer, token: `torture-${at}-${n}`, written })
    }
  })
  const moments: Moment[] = []
  while (moments.length < cuts) {
    await pause(MIN_MS + Math.random() * (MAX_MS - MIN_MS))
    moments.push({ at: Date.now() / 1_000, tokens: new Map(written.tokens), files: new Map(written.files) })
  }
  isOver = true
  await Promise.all(writers)
  await server.end()
  return moments
}

async function eventsOf(trace: string, cwd: string): Promise<readonly DiskEvent[]> {
  const read = createTraceReader(cwd)
  const events: DiskEvent[] = []
  for await (const line of createInterface(createReadStream(trace, 'latin1'))) {
    const event = read(line)
    if (event !== null) events.push(event)
  }
  return events.sort((one, other) => one.at - other.at)
}

/** Starts a server on a reconstructed folder. @returns acknowledged writes that are missing or duplicated */
async function lookAfter(folder: string, { tokens, files }: Omit<Moment, 'at'>): Promise<readonly string[]> {
  execFileSync('chmod', ['-R', 'go=', folder])
  const server = await startEmbedded(BUILT, folder)
  try {
    const found = await counted({ tokens, files }, KINDS, {
      room: createClient(server),
      databaseUrl: await server.databaseUrl(),
    })
    return [...found.lost, ...found.twice]
  } finally {
    await server.end()
  }
}
