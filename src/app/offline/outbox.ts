import type { Failure } from '../../../runtime/core/errors.ts'
import type { Clock, Http, WaitingWrite } from '../../../runtime/core/ports.ts'
import { FILE_GONE } from '../../contract/envelope.ts'
import { PASSWORD_DUE } from '../net/api.ts'
import type { Store } from '../store.ts'
import { isUnreachable } from './cached-http.ts'
import type { OutboxEntry } from './offline-database.ts'
import { withPictures } from './pictures.ts'
import { createWaitingEntries, type WaitingEntriesOptions } from './waiting-entries.ts'

/** Waits between attempts while the server cannot be reached or fails, in milliseconds. */
const BACKOFF_MS = [3_000, 10_000, 30_000, 60_000] as const
/** Attempts of one write at which the server fails, before the user is told and the next write has its turn. */
const FAILED_ATTEMPTS = 8

/** Writes of the user that wait for the network. */
export interface AppOutbox {
  /** In order, of the signed-in user. */
  readonly entries: Store<readonly OutboxEntry[]>
  /** Appends a write; with `replaces`, it replaces a changed entry. False: the device cannot store it. */
  put(write: WaitingWrite, place: string, replaces?: number): Promise<boolean>
  get(seq: number): Promise<OutboxEntry | undefined>
  remove(seq: number): Promise<void>
  /** Sends a refused write again, at once. */
  retry(seq: number): Promise<void>
  /** Keeps an entry from being sent while it is edited; the returned function releases it. */
  hold(seq: number): () => void
  /** Sends waiting writes, oldest first, until the server cannot be reached or fails. */
  flush(): Promise<void>
  /** Reads the entries again: another user has signed in, or another tab has sent some. */
  reload(): Promise<void>
}

export interface OutboxOptions extends WaitingEntriesOptions {
  /** The product's calls without toasts. */
  readonly http: Http
  readonly clock: Clock
  /** Tenant and user; null while nobody is signed in: nothing is sent. */
  readonly owner: () => string | null
  /** Runs a task in one tab at a time (Web Locks). */
  readonly alone: (task: () => Promise<void>) => Promise<void>
  /** Time for which the server remembers a token (DOMAIN 0.7). Older attempts are only repeated after the user confirms. */
  readonly tokenMs: number
  /** The text of such an entry. */
  readonly unsureText: string
  /** Called after a round in which something was sent or refused. */
  readonly onRound: (round: { readonly sent: number; readonly refused: number }) => void
}

export function createOutbox(options: OutboxOptions): AppOutbox {
  const { clock, http } = options
  const { entries, reload, change, remove, get, add } = createWaitingEntries(options)
  const onHold = new Set<number>()
  let running: Promise<void> | null = null
  /** A request came while a round was running: the round may have read the entries too early, or for another owner. */
  let needsAnotherRound = false
  let failures = 0
  let cancel = () => {}

  async function send(entry: OutboxEntry): Promise<'sent' | 'refused' | 'away'> {
    const now = clock.now()
    if (entry.triedAt !== null && now - entry.triedAt > options.tokenMs) {
      await change(entry.seq, { state: 'refused', message: options.unsureText, failed: 0 })
      return 'refused'
    }
    const { uploaded } = entry
    const ready =
      uploaded === undefined ? await withPictures(entry.body, http) : { ok: true as const, value: uploaded }
    if (!ready.ok) return unsent(entry, ready.error)
    const body = ready.value ?? entry.body
    if (ready.value !== uploaded || entry.triedAt === null)
      await change(entry.seq, { uploaded: ready.value, triedAt: entry.triedAt ?? now })
    const outcome = await http.send({
      url: entry.url,
      method: entry.method,
      headers: { ...entry.headers, 'X-Queued-Ms': String(Math.max(0, now - entry.at)) },
      ...(body === undefined ? {} : { body }),
    })
    if (outcome.ok) {
      await remove(entry.seq)
      return 'sent'
    }
    if (uploaded !== undefined && outcome.error.type === FILE_GONE)
      return send({ ...entry, uploaded: undefined })
    return unsent(entry, outcome.error)
  }
  /** A failing server is no refusal: the write keeps its place, and is left to the user only after many attempts. */
  async function unsent(entry: OutboxEntry, error: Failure): Promise<'refused' | 'away'> {
    if (isLater(error)) return 'away'
    const { message } = error
    const failed = isServerFault(error) ? (entry.failed ?? 0) + 1 : 0
    const state = failed % FAILED_ATTEMPTS === 0 ? 'refused' : 'waiting'
    await change(entry.seq, { state, message, failed })
    return state === 'waiting' ? 'away' : state
  }
  async function round(): Promise<void> {
    const count = { sent: 0, refused: 0, away: 0 }
    await reload()
    for (let next = firstWaiting(); next !== undefined && count.away === 0; next = firstWaiting())
      count[await send(next)] += 1
    failures = count.away === 0 ? 0 : failures + 1
    cancel()
    if (count.away > 0)
      cancel = clock.after(
        BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 60_000,
        () => void flush(),
      )
    if (count.sent + count.refused > 0) options.onRound(count)
  }
  const firstWaiting = (): OutboxEntry | undefined =>
    options.owner() === null
      ? undefined
      : entries.get().find(({ state, seq }) => state === 'waiting' && !onHold.has(seq))

  async function rounds(): Promise<void> {
    do {
      needsAnotherRound = false
      await round().catch(() => undefined)
    } while (needsAnotherRound)
  }
  function flush(): Promise<void> {
    needsAnotherRound = true
    running ??= options.alone(rounds).finally(() => {
      running = null
      return needsAnotherRound ? flush() : undefined
    })
    return running
  }

  return {
    entries,
    reload,
    remove,
    flush,
    hold(seq) {
      onHold.add(seq)
      return () => {
        if (onHold.delete(seq)) void flush()
      }
    },
    get,
    async retry(seq) {
      // The user asks for it after checking that it had not arrived, so its age starts again.
      await change(seq, { state: 'waiting', message: '', triedAt: null, failed: 0 })
      await flush()
    },
    async put({ request, title, text, draft }, place, replaces) {
      const owner = options.owner()
      if (owner === null) return false
      const entry = { owner, at: clock.now(), ...request, title, text, draft, place }
      const isStored = await add(entry, replaces)
      cancel()
      cancel = clock.after(BACKOFF_MS[0], () => void flush())
      return isStored
    },
  }
}

/** The failure is not caused by the entry: it keeps waiting. */
function isLater(error: Failure): boolean {
  if (error.type === PASSWORD_DUE || error.status === 429) return true
  return isUnreachable(error) || error.code === 'SESSION_OVER' || error.code === 'ABORTED'
}

/** The server failed, or something on the way answered in its place. The entry may be the cause. */
const isServerFault = ({ code, status = 0 }: Failure): boolean => status >= 500 || code === 'ANSWER_INVALID'
