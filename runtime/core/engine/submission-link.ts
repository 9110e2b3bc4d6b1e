import { lowerLimits } from '../hooks/script-limits.ts'
import type { Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { HookCall, Http, Outcome, ScriptSession } from '../ports.ts'
import { dataCell } from '../state/cells.ts'
import { SOURCE_ANSWERS } from './answer-request.ts'
import type { JudgedSubmission } from './judge-submission.ts'
import { createSources, type Sources } from './sources.ts'

/** The code and the data sources of a page that is not open. */
export interface SubmissionLink {
  readonly sources: Sources
  /** Runs one piece of the page's code; the first starts it. */
  ask(call: HookCall): Promise<Outcome<Json>>
  /** Names the check that runs from now on. @returns whether it has requested something unavailable */
  at(place: string): () => boolean
  dispose(): void
}

/** @param onBeyond  called with the check and the unavailable request: `onValidate amount: confirm` */
export function openSubmission(
  { page, script, send, text, now, params = {}, user = {}, dict = {}, onReport }: JudgedSubmission,
  model: Model,
  onBeyond: (name: string) => void,
): SubmissionLink {
  let session: ScriptSession | undefined
  let turn = 0
  let place = ''
  let isBeyond = false
  const beyond = (name: string): void => {
    isBeyond = true
    onBeyond(name === '' ? place : `${place}: ${name}`)
  }
  const reading: Http['send'] = async (request) => {
    const answer = await send(request)
    if (!answer.ok && answer.error.code === 'NOT_A_READ')
      beyond(`${request.method} ${request.url.split('?')[0]}`)
    return answer
  }
  const ask = (call: HookCall): Promise<Outcome<Json>> => {
    session ??= open()
    return session.ask(call)
  }
  const sources = createSources({
    model,
    link: { ask },
    ports: { text, http: { send: reading }, clock: { now }, feedback: { toast: () => undefined } },
    variables: () => ({}),
    store: (name, value) => {
      const writes = [{ cell: dataCell(name), value }]
      model.apply(writes)
      session?.post(++turn, writes, [])
    },
  })
  const open = (): ScriptSession =>
    script.open({
      document: page.document,
      limits: lowerLimits(page.settings.scriptLimits),
      snapshot: () => ({ turn, writes: model.snapshot(), context: { params, user, dict } }),
      onBatch: () => {},
      onReport: (report) => onReport?.(report),
      onRequest: (name, args) => {
        const answer = Object.hasOwn(SOURCE_ANSWERS, name) ? SOURCE_ANSWERS[name] : undefined
        if (answer !== undefined) return answer(args, sources)
        beyond(name)
        return Promise.reject(new Error(`${name} needs an open page`))
      },
    })
  return {
    sources,
    ask,
    at(next) {
      place = next
      isBeyond = false
      return () => isBeyond
    },
    dispose: () => session?.dispose(),
  }
}
