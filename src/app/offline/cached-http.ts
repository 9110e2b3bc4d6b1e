import type { Failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { CachedAnswer } from './offline-database.ts'

/** Calls of pickers, of single records and of searches, which other calls may answer as well. */
const ASKED_ALIKE = /\/(options|detail|search\/(?:global|recent))(?:\?|$)/

export interface CachedHttpOptions {
  readonly http: Http
  readonly answers: AnswerCache
  /** Whether the device reports a network. */
  readonly online: () => boolean
  /** Runs a task after the answer has been drawn. */
  readonly later: (task: () => void) => void
}

/** Answers a read (`keep`) from the cache while the server cannot be reached; `keptAt` is the time of the answer. */
export function createCachedHttp({ http, answers, online, later }: CachedHttpOptions): Http {
  async function cachedAnswer(request: HttpRequest, key: string): Promise<Outcome<HttpResponse> | undefined> {
    const found = (await answers.read(key)) ?? (await findInAll(request))
    return found && { ok: true, value: { status: 200, headers: {}, data: found.data, keptAt: found.at } }
  }
  /** A picker, detail or search without a cached answer is answered from all cached data of its records. */
  async function findInAll({
    method,
    url,
  }: HttpRequest): Promise<Pick<CachedAnswer, 'at' | 'data'> | undefined> {
    const [, kind] = method === 'GET' ? (ASKED_ALIKE.exec(url) ?? []) : []
    if (kind === undefined) return undefined
    const choices = await import('./cached-choices.ts').catch(() => undefined)
    const all = await answers.all()
    if (kind === 'options') return choices?.cachedChoices(url, all)
    return kind === 'detail' ? choices?.cachedRecord(url, all) : choices?.cachedHits(url, all)
  }
  return {
    upload: http.upload,
    async send(request) {
      const key = request.keep === true ? answers.keyOf(request) : null
      if (key === null) return http.send(request)
      const atOnce = online() ? undefined : await cachedAnswer(request, key)
      if (atOnce !== undefined) return atOnce
      const outcome = await http.send(request)
      if (!outcome.ok)
        return (isUnreachable(outcome.error) ? await cachedAnswer(request, key) : undefined) ?? outcome
      const { data } = outcome.value
      if (isGood(data)) later(() => void answers.write(key, data))
      return outcome
    },
  }
}

/** True if the server was not reached, or is down behind its proxy: the same call may succeed later. */
export function isUnreachable({ code, status }: Failure): boolean {
  if (code === 'NETWORK' || code === 'TIMEOUT') return true
  return code === 'HTTP_STATUS' && (status === 502 || status === 503 || status === 504)
}

/** A refusal inside the envelope is not cached. */
function isGood(body: Json): boolean {
  return !isObject(body) || !isObject(body.meta) || body.meta.code === 200
}
