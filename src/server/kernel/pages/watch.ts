import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Changes come in bursts (an editor writes, renames, touches): wait this long after the last. */
const DEBOUNCE_MS = 60
/** File events get lost on some systems (network folders, containers, renamed folders): look at the times as well. */
const POLL_MS = 500

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
  let last: string | null = null
  const poll = setInterval(async () => {
    const now = await fingerprint(folder)
    if (last !== null && now !== last) soon()
    last = now
  }, POLL_MS)
  poll.unref()
  const watcher = openWatcher(folder, soon)
  return () => {
    clearTimeout(timer)
    clearInterval(poll)
    watcher?.close()
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

async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const marks = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(() => null)
    return `${path} ${found?.mtimeMs} ${found?.size}`
  })
  return (await Promise.all(marks)).sort().join('\n')
}
