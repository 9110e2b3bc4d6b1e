import { failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { HttpRequest, HttpResponse, Outcome, Ports } from '../../../runtime/core/ports.ts'
import { previewPorts } from '../../../runtime/react/page/preview-ports.ts'
import { reportTrace } from './traces.ts'

/** How long an answer is reused for later drafts, in milliseconds, because every edit reopens the page. */
const FRESH_MS = 60_000
const MAX_CACHED_ANSWERS = 200

type Sent = Promise<Outcome<HttpResponse>>

/** Actions of the page on the canvas that would have affected the outside world. */
export type ReportAction = (event: string, detail: string) => void

/** Addresses that a page requests automatically to draw its content. */
export function readsOf(page: Page): ReadonlySet<string> {
  const named = new Set([...page.nodes.values()].map((node) => node.option('dsName')))
  const read = [...page.dataSources.values()].filter(
    ({ uniqueName, auto }) => auto !== undefined || named.has(uniqueName),
  )
  return new Set(read.map(({ requestURL }) => requestURL))
}

/**
 * The ports of a page on the canvas: it reads what the person at the workbench may read, and writes nothing.
 *
 * @param isRead  whether the page requests an address only to draw something
 * @param sampleOf  a generated answer; null to ask the server
 */
export function createCanvasPorts(
  ports: Ports,
  report: ReportAction,
  isRead: (url: string) => boolean,
  sampleOf: (url: string) => Json | null,
): Ports {
  const answers = new Map<string, { readonly at: number; readonly sent: Sent }>()
  const { http, clock, text } = ports
  const ask = (request: HttpRequest): Sent => {
    const key = `${request.method} ${request.url} ${JSON.stringify(request.body ?? null)}`
    const cached = answers.get(key)
    if (cached !== undefined && clock.now() - cached.at < FRESH_MS) return cached.sent
    const { signal: _, ...withoutSignal } = request // aborting one draft's request must not abort the next one's
    const sent = http.send(withoutSignal)
    if (answers.size >= MAX_CACHED_ANSWERS) answers.clear()
    answers.set(key, { at: clock.now(), sent })
    return sent
  }
  return {
    ...previewPorts(ports, (event, detail) => report(event, typeof detail === 'string' ? detail : '')),
    http: {
      async send(request) {
        const isReading = request.method === 'GET' || request.keep === true || isRead(request.url)
        const sample = isReading ? sampleOf(request.url) : null
        if (isReading) {
          const answer: Outcome<HttpResponse> =
            sample === null
              ? await ask(request)
              : { ok: true, value: { status: 200, headers: {}, data: sample } }
          reportTrace(request, answer)
          return answer
        }
        reportTrace(request, null)
        report('request', `${request.method} ${request.url}`)
        return {
          ok: false,
          error: { ...failure('NETWORK'), message: text('preview.noNetwork'), shown: true },
        }
      },
      async upload({ url }) {
        report('upload', url)
        return {
          ok: false,
          error: { ...failure('NETWORK'), message: text('preview.noNetwork'), shown: true },
        }
      },
    },
    ...(ports.files === undefined ? {} : { files: ports.files }),
  }
}
