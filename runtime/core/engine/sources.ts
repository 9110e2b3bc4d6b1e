import { buildRequest, type RequestContext } from '../data/build-request.ts'
import { callRequest, type UrlCall } from '../data/call-source.ts'
import { executeSource, hasHandler, unknownSource } from '../data/execute.ts'
import { withMessage } from '../data/failure-words.ts'
import type { SourceState } from '../engine.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import { FORM_STATE_HEADER, isOwnAddress, printFormState } from '../model/form-state.ts'
import type { Model } from '../model/model.ts'
import type { RuleBound } from '../model/node-state.ts'
import type { DataSource } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { AbortLike, HttpRequest, HttpResponse, Outcome, Ports } from '../ports.ts'
import { fillText, templateValue } from '../text/template.ts'
import type { ScriptLink } from './script-link.ts'

/** What data sources need from the outside world. */
interface SourcePorts extends Pick<Ports, 'text'> {
  readonly http: Pick<Ports['http'], 'send'>
  readonly clock: Pick<Ports['clock'], 'now'>
  readonly feedback: Pick<Ports['feedback'], 'toast'>
}

interface Parts {
  /** Called for a rule that has no result. */
  readonly onBound?: (bound: RuleBound) => void
  readonly model: Model
  readonly link: Pick<ScriptLink, 'ask'>
  readonly ports: SourcePorts
  /** The current variables of the host. */
  readonly variables: () => JsonObject
  /** Stores an automatic source's result in the page. */
  readonly store: (name: string, value: Json) => void
  /** What the page reads for display waits for this: the code with which it opens may set variables. */
  readonly opened?: () => Promise<unknown> | null
}

interface RequestOptions {
  readonly signal?: AbortLike
  /** The scope to read instead of the page's (a row, a running action list). */
  readonly scope?: Scope
  /** A read for display: its answer may be stored, unless the source has `keep: false`. */
  readonly keep?: boolean
  /** Shows a failure that no code of the source handles; for callers that cannot display it. */
  readonly tell?: boolean
  /** A write of the form: the inputs of its checks are sent along, see {@link FORM_STATE_HEADER}. */
  readonly isForm?: boolean
}

/** The declared data sources of one open page. */
export interface Sources {
  request(name: string, variables?: JsonObject, options?: RequestOptions): Promise<Outcome<Json>>
  /**
   * The request of a source for a write of the form, without sending it. Undefined: the source is not declared, or its code decides while sending.
   */
  built(name: string, variables?: JsonObject): HttpRequest | undefined
  /** Replaces the placeholders of a text as in the sources' own texts. */
  fill(text: string): string
  /** Sends a script's own call if a source is declared for its URL and method; no handler runs. Undefined: none is. */
  call(call: UrlCall): Promise<Outcome<HttpResponse> | undefined>
  state(name: string): SourceState
  automatic(): readonly string[]
  /** True while the rule for automatic loading (`auto`) forbids it. */
  isHeld(name: string): boolean
  key(name: string, variables?: JsonObject): Json | null
  /** Loads an automatic source and stores the result. */
  load(name: string): Promise<void>
}

const IDLE: SourceState = { status: 'idle', failure: null }

export function createSources({ model, link, ports, variables, store, opened, onBound }: Parts): Sources {
  const { page } = model
  const states = new Map<string, SourceState>()
  const newest = new Map<string, number>() // latest answer wins: an older one is dropped
  const services = ({ dict }: Scope = model.scope()) => ({ now: ports.clock.now(), dict, text: ports.text })
  const bound = (rule: string, key: string) => (error: RangeError) => onBound?.({ rule, key, error })
  const context = (name: string, local: JsonObject | undefined, scope: Scope): RequestContext => ({
    scope,
    onBound: bound('$if', name),
    dsv: { ...variables(), ...local },
    fill: (text) => templateValue(text, scope, services(scope)),
  })

  async function request(
    name: string,
    local?: JsonObject,
    options: RequestOptions = {},
  ): Promise<Outcome<Json>> {
    const source = page.dataSources.get(name)
    if (!source) return unknownSource(name)
    if (options.keep === true) await opened?.()
    const outcome = await executeSource({
      source,
      context: context(name, local, options.scope ?? model.scope()),
      http:
        options.isForm === true
          ? { send: (outgoing) => ports.http.send({ ...withState(outgoing), tellsLoss: true }) }
          : ports.http,
      ask: (hook, uniqueName, args) => link.ask({ hook, key: uniqueName, args }),
      text: ports.text,
      ...(options.signal ? { signal: options.signal } : {}),
      keep: options.keep === true && source.keep !== false,
    })
    if (outcome.ok || options.tell !== true || hasHandler(source.errorHandlerCode)) return outcome
    const { error } = outcome
    if (error.shown === true || error.code === 'ABORTED') return outcome
    ports.feedback.toast({ text: error.message })
    return { ok: false, error: { ...error, shown: true } }
  }
  function withState<R extends HttpRequest>(request: R): R {
    const state = isOwnAddress(request.url) ? printFormState(model) : null
    return state === null
      ? request
      : { ...request, headers: { ...request.headers, [FORM_STATE_HEADER]: state } }
  }
  const holds = (source: DataSource): boolean =>
    source.auto !== undefined &&
    source.auto !== null &&
    source.auto !== false &&
    (source.auto === true ||
      isTruthy(applyRule(source.auto, model.scope(), bound('auto', String(source.uniqueName)))))

  async function load(name: string): Promise<void> {
    const mine = (newest.get(name) ?? 0) + 1
    newest.set(name, mine)
    states.set(name, { status: 'loading', failure: null })
    const answer = await request(name, undefined, { keep: true })
    if (newest.get(name) !== mine) return
    states.set(
      name,
      answer.ok ? { status: 'ready', failure: null } : { status: 'failed', failure: answer.error },
    )
    if (answer.ok) store(name, answer.value)
  }

  return {
    request,
    built(name, local) {
      const source = page.dataSources.get(name)
      const coded = (source?.configHandlerCode ?? '').trim() !== ''
      return source && !coded
        ? withState(buildRequest(source, context(name, local, model.scope())))
        : undefined
    },
    fill: (text) => fillText(text, model.scope(), services()),
    async call(call) {
      const wanted = callRequest(call, page.dataSources.values(), context(call.url, {}, model.scope()))
      if (!wanted) return undefined
      const answer = await ports.http.send(wanted)
      return answer.ok ? answer : { ok: false, error: withMessage(answer.error, ports.text) }
    },
    load,
    state: (name) => states.get(name) ?? IDLE,
    automatic: () =>
      [...page.dataSources.values()]
        .filter((s) => s.auto !== undefined && s.auto !== false && s.auto !== null)
        .map((s) => s.uniqueName),
    isHeld(name) {
      const source = page.dataSources.get(name)
      return isObject(source?.auto) && !holds(source)
    },
    key(name, local) {
      const source = page.dataSources.get(name)
      if (!source || (source.auto !== undefined && source.auto !== null && !holds(source))) return null
      const { url, method, body } = buildRequest(source, context(name, local, model.scope()))
      return { name, url, method, body: body ?? null }
    },
  }
}
