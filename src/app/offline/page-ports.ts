import type { Draft } from '../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome, Ports } from '../../../runtime/core/ports.ts'
import type { Entry } from '../navigation/page-stack.ts'
import { formatPlace } from '../navigation/routes.ts'
import { isUnreachable } from './cached-http.ts'
import type { OutboxEntry } from './offline-database.ts'
import type { AppOutbox } from './outbox.ts'
import { outboxRows, outboxSeq, seqIn } from './outbox-rows.ts'
import { queuedPicture, withPictures } from './pictures.ts'

/** Addresses of the device for data sources of pages; no network is used. */
const LOCAL = 'local:/outbox'
const NOTHING_WAITS = { ok: true, value: undefined } as const

/**
 * The ports of an opened page: its reads report answers from the cache, its writes can wait in the outbox, and the outbox is a data source
 * (`local:/outbox`, `local:/outbox/retry` and `/discard` with `id`; PAGE-FORMAT).
 */
export function pagePorts(
  ports: Ports,
  entry: Entry,
  { outbox, seq }: Waiting,
  onAway: (keptAt: number | null) => void,
): Ports {
  const http: Http = {
    async upload(request) {
      const outcome = await ports.http.upload(request)
      if (outcome.ok || !isUnreachable(outcome.error)) return outcome
      return (await queuedPicture(request)) ?? outcome
    },
    async send(given) {
      if (given.url.startsWith(LOCAL)) return local(outbox, given.url.slice(LOCAL.length), given.body)
      // A call to the device itself needs no uploads.
      const isLocal = given.url.startsWith('local:')
      const ready = isLocal ? NOTHING_WAITS : await withPictures(given.body, ports.http)
      if (!ready.ok) return ready
      const request = ready.value === undefined ? given : { ...given, body: ready.value }
      const outcome = await ports.http.send(request)
      if (request.keep === true) {
        if (outcome.ok && outcome.value.keptAt !== undefined) onAway(outcome.value.keptAt)
        if (!outcome.ok && isUnreachable(outcome.error)) onAway(null)
      }
      return outcome
    },
  }
  return {
    ...ports,
    http,
    outbox: {
      put: (write) => outbox.put(write, placeOf(entry), seq),
      sent: async () => {
        if (seq !== undefined) await outbox.remove(seq)
      },
    },
  }
}

/** The input of a page opened from the outbox; its entry is not sent while the page is open. */
export function waitingWrite({ outbox, seq }: Waiting) {
  const release = seq === undefined ? () => {} : outbox.hold(seq)
  const draft = async (): Promise<Draft | undefined> =>
    seq === undefined ? undefined : (await outbox.get(seq))?.draft
  return { draft, release }
}

async function local(
  outbox: AppOutbox,
  path: string,
  body: Json | undefined,
): Promise<Outcome<HttpResponse>> {
  const seq = seqIn(body)
  if (seq !== undefined && path === '/retry') await outbox.retry(seq)
  if (seq !== undefined && path === '/discard') await outbox.remove(seq)
  const data: JsonObject = outboxRows(outbox.entries.get())
  return { ok: true, value: { status: 200, headers: {}, data } }
}

/** The outbox, and the waiting write that a page continues: the one it was opened for, or one of the record that it edits. */
interface Waiting {
  readonly outbox: AppOutbox
  readonly seq: number | undefined
}

export function waitingAt(outbox: AppOutbox, entry: Entry): Waiting {
  const isOfRecord = ({ draft, place }: OutboxEntry): boolean =>
    draft.base !== undefined && place === placeOf(entry)
  return { outbox, seq: outboxSeq(entry.query) ?? outbox.entries.get().find(isOfRecord)?.seq }
}

/** The page's own url, without the entry of the outbox it was opened from. */
function placeOf(entry: Entry): string {
  const { outbox: _, ...query } = entry.query
  return formatPlace({ path: entry.path, query })
}
