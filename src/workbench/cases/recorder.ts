import type { Engine, EngineOptions } from '../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome, Ports } from '../../../runtime/core/ports.ts'
import { type Act, type CaseFile, caseOf, type HostAnswer } from './case.ts'
import { stateOf } from './page-state.ts'

/** The inputs of a page, besides its ports. */
export type Opening = Pick<EngineOptions, 'page' | 'params' | 'user' | 'dict' | 'variables' | 'draft'>

/** Records a page from its opening. */
export interface Recorder {
  /** The ports; their answers are recorded. */
  readonly ports: Ports
  /** The engine; calls to it are recorded. */
  record(engine: Engine): Engine
  /** The whole visit as a case; null if it has become too long. */
  save(path: string): CaseFile | null
}

const MAX_ACTS = 2_000
const MAX_CHARACTERS = 4_000_000

/** Methods of the engine by which users, views and the shell act on a page, and how many of their arguments are data. */
export const ACTS = {
  input: 2,
  change: 2,
  focus: 1,
  blur: 1,
  event: 3,
  consents: 2,
  setOption: 3,
  addRow: 2,
  removeRow: 2,
  setValues: 1,
  setErrors: 1,
  setReadMode: 1,
  setData: 2,
  reset: 0,
  validate: 0,
  request: 2,
  pageEvent: 2,
} as const

/** Records everything the page receives, until it is closed or the recording is too long. */
export function createRecorder(ports: Ports, opening: Opening): Recorder {
  const begun = ports.clock.now()
  const acts: Act[] = []
  const answers: HostAnswer[] = []
  const dialogAnswers: Json[] = []
  const ids: string[] = []
  let characters = 0
  let engine: Engine | null = null
  const since = (): number => ports.clock.now() - begun
  const isFull = (): boolean => acts.length > MAX_ACTS || characters > MAX_CHARACTERS
  const toJson = (value: unknown): Json => {
    const text = JSON.stringify(value) ?? 'null'
    characters += text.length
    return JSON.parse(text) as Json
  }

  const answered = async (
    request: Pick<HttpRequest, 'method' | 'url' | 'body'>,
    sent: Promise<Outcome<HttpResponse>>,
  ): Promise<Outcome<HttpResponse>> => {
    const outcome = await sent
    if (isFull()) return outcome
    const { method, url, body } = request
    const recorded = outcome.ok
      ? { ok: true, value: { ...outcome.value, headers: {} } }
      : { ok: false, error: { ...outcome.error, headers: {}, cause: null } }
    answers.push({ at: since(), method, url, body: toJson(body ?? null), outcome: toJson(recorded) })
    return outcome
  }
  const recordAnswer = async <T>(answering: Promise<T>): Promise<T> => {
    const answer = await answering
    if (!isFull()) dialogAnswers.push(toJson(answer))
    return answer
  }
  const { http, feedback, random } = ports

  return {
    ports: {
      ...ports,
      http: {
        send: (request) => answered(request, http.send(request)),
        upload: (request) => answered({ method: 'POST', url: request.url }, http.upload(request)),
      },
      random: {
        uuid() {
          const id = random.uuid()
          if (!isFull()) ids.push(id)
          return id
        },
      },
      feedback: {
        ...feedback,
        toast: (options) => feedback.toast(options),
        loading: (text) => feedback.loading(text),
        modal: (options) => recordAnswer(feedback.modal(options)),
        actionSheet: (...args) => recordAnswer(feedback.actionSheet(...args)),
      },
    },
    record(given) {
      engine = given
      const methods = Object.entries(ACTS).map(([name, count]) => {
        const method = given[name as keyof typeof ACTS] as (...args: unknown[]) => unknown
        const recording = (...args: unknown[]): unknown => {
          if (!isFull()) addAct(acts, { at: since(), does: name, args: args.slice(0, count).map(toJson) })
          return method(...args)
        }
        return [name, recording]
      })
      return { ...given, ...(Object.fromEntries(methods) as Partial<Engine>) }
    },
    save(path) {
      if (engine === null || isFull()) return null
      const { page, params = {}, user = {}, dict = {}, variables = {}, draft } = opening
      const options = {
        params,
        user,
        dict: named(dict, page.written),
        variables,
        ...(draft ? { draft } : {}),
      }
      return caseOf({
        page: { path, document: page.written as unknown as JsonObject },
        state: { now: begun, options: toJson(options) as JsonObject },
        acts: [...acts],
        answers: [...answers],
        said: [...dialogAnswers],
        ids: [...ids],
        after: { at: since(), state: stateOf(engine) },
      })
    },
  }
}

/** Of keystrokes into one field, only the last is kept. */
function addAct(acts: Act[], act: Act): void {
  const last = acts.at(-1)
  if (act.does === 'input' && last?.does === 'input' && last.args[0] === act.args[0]) acts.pop()
  acts.push(act)
}

/** The dictionaries that a page uses. */
function named(dict: JsonObject, page: unknown): JsonObject {
  const text = JSON.stringify(page)
  return Object.fromEntries(Object.entries(dict).filter(([name]) => text.includes(name)))
}
