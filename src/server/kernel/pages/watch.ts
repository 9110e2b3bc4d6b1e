import { type Dirent, readdirSync, type Stats, statSync, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Changes come in bursts (an editor writes, renames, touches): delay after the last one. */
const DEBOUNCE_MS = 60
/**
 * File events get lost on some systems (network folders, containers, renamed folders), so modification times are checked as well, first after this
 * delay.
 */
const POLL_MS = 500
/** Each check without changes multiplies the delay by this factor. */
const RARER = 1.5
/** A check reads the times of some hundred files: it may use at most this fraction of a busy processor. */
const SHARE = 20
/** Maximum delay until a change is noticed, however quiet or slow the folder is. */
const MAX_POLL_MS = 2_000
/** A folder that can be read in this time is read synchronously: asynchronous reads of each file take twenty times as long. */
const AT_ONCE_MS = 15

/** A watched folder, shared by all subscribers. */
interface Watched {
  readonly listeners: Set<() => void>
  readonly stop: () => void
}

const watched = new Map<string, Watched>()

/**
 * Calls `changed` shortly after anything below `folder` changed, at most one call at a time.
 *
 * @returns stops watching, and resolves once a call that has begun is over
 */
export function watchFolder(folder: string, changed: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  const call = async (): Promise<void> => (isStopped ? undefined : changed())
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(call, call)
    }, DEBOUNCE_MS)
  }
  const watching = watched.get(folder) ?? startWatching(folder)
  watched.set(folder, watching)
  watching.listeners.add(soon)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    watching.listeners.delete(soon)
    if (watching.listeners.size === 0) {
      watching.stop()
      if (watched.get(folder) === watching) watched.delete(folder)
    }
    // Whoever made the call hears of its failure, not whoever stops.
    await running.catch(() => undefined)
  }
}

function startWatching(folder: string): Watched {
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const soon of listeners) soon()
  }
  const stopLooking = lookAtTimes(folder, notify)
  const watcher = openWatcher(folder, notify)
  return {
    listeners,
    stop() {
      stopLooking()
      watcher?.close()
    },
  }
}

/** Calls `changed` if a check of the files differs from the previous one. */
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
    every = now === last ? Math.min(every * RARER, MAX_POLL_MS) : POLL_MS
    last = now
    const took = performance.now() - begun
    isQuick = took <= (isQuick ? AT_ONCE_MS : 3 * AT_ONCE_MS)
    wait(Math.min(Math.max(every, SHARE * took), MAX_POLL_MS))
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

/** Without file events (a system limit, no recursive watch) checking the times is enough. */
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

/** A file may disappear during a check. */
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
