import { type Dirent, readdirSync, type Stats, statSync, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Changes come in bursts (an editor writes, renames, touches): wait this long after the last. */
const DEBOUNCE_MS = 60
/** File events get lost on some systems (network folders, containers, renamed folders): look at the times as well, so soon after a change. */
const POLL_MS = 500
/** Each look that finds nothing new makes the wait this many times as long. */
const RARER = 1.5
/** A look reads the times of some hundred files: at most one part in this many of a busy processor. */
const SHARE = 20
/** A change is seen after this long, however quiet or slow the folder is. */
const POLL_MOST_MS = 2_000
/** A folder that is looked at in this time is looked at in one go: asking for each file by itself takes twenty times as long. */
const AT_ONCE_MS = 15

/** A folder that is watched, for all who want to know of it. */
interface Watched {
  readonly heard: Set<() => void>
  readonly stop: () => void
}

const watched = new Map<string, Watched>()

/**
 * Calls `changed` soon after anything below `folder` changed, at most once at a time.
 *
 * @returns stops watching
 */
export function watchFolder(folder: string, changed: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(changed, changed)
    }, DEBOUNCE_MS)
  }
  const watching = watched.get(folder) ?? startWatching(folder)
  watched.set(folder, watching)
  watching.heard.add(soon)
  return () => {
    clearTimeout(timer)
    watching.heard.delete(soon)
    if (watching.heard.size > 0) return
    watching.stop()
    if (watched.get(folder) === watching) watched.delete(folder)
  }
}

function startWatching(folder: string): Watched {
  const heard = new Set<() => void>()
  const tell = (): void => {
    for (const soon of heard) soon()
  }
  const stopLooking = lookAtTimes(folder, tell)
  const watcher = openWatcher(folder, tell)
  return {
    heard,
    stop() {
      stopLooking()
      watcher?.close()
    },
  }
}

/** Calls `changed` when a look at the files differs from the one before. */
function lookAtTimes(folder: string, changed: () => void): () => void {
  let last: string | null = null
  let every = POLL_MS
  let isOver = false
  let isQuick = false
  let timer: NodeJS.Timeout
  const look = async (): Promise<void> => {
    const begun = performance.now()
    const now = isQuick ? fingerprintAtOnce(folder) : await fingerprint(folder)
    if (isOver) return
    if (last !== null && now !== last) changed()
    every = now === last ? Math.min(every * RARER, POLL_MOST_MS) : POLL_MS
    last = now
    const took = performance.now() - begun
    isQuick = took <= (isQuick ? AT_ONCE_MS : 3 * AT_ONCE_MS)
    wait(Math.min(Math.max(every, SHARE * took), POLL_MOST_MS))
  }
  const wait = (ms: number): void => {
    timer = setTimeout(() => void look(), ms).unref()
  }
  wait(POLL_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Without file events (a system limit, no recursive watch) looking at the times is enough. */
function openWatcher(folder: string, soon: () => void): { close(): void } | null {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, soon)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}

const ALL = { recursive: true, withFileTypes: true } as const

async function fingerprint(folder: string): Promise<string> {
  const paths = filesIn(await readdir(folder, ALL).catch(() => []))
  const marks = paths.map(async (path) => markOf(path, await stat(path).catch(() => undefined)))
  return (await Promise.all(marks)).join('\n')
}

function fingerprintAtOnce(folder: string): string {
  const paths = filesIn(orNothing(() => readdirSync(folder, ALL)) ?? [])
  return paths
    .map((path) =>
      markOf(
        path,
        orNothing(() => statSync(path, { throwIfNoEntry: false })),
      ),
    )
    .join('\n')
}

/** A file may go between two looks at it. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

const filesIn = (entries: readonly Dirent[]): readonly string[] =>
  entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const markOf = (path: string, found: Stats | undefined): string => `${path} ${found?.mtimeMs} ${found?.size}`
