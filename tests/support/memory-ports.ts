import { type ConflictWords, conflictWords } from '../../runtime/core/engine/conflict-words.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import { failure } from '../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type {
  HttpRequest,
  HttpResponse,
  ModalOptions,
  Outcome,
  Place,
  Ports,
  Script,
  ToastOptions,
} from '../../runtime/core/ports.ts'

/** Answers a request; a plain value stands for a 200 with that body. */
export type Server = (
  request: HttpRequest,
) => Json | Outcome<HttpResponse> | Promise<Json | Outcome<HttpResponse>>

/** The conflict that a form asks about, in words. */
export function inWords(engine: Engine): ConflictWords | null {
  const conflict = engine.conflict()
  return conflict === null ? null : conflictWords(engine, conflict)
}

/** A server whose record is at version 2: a write based on version 1 is refused as a conflict, others are accepted. */
export function collides(record: JsonObject): Server {
  return ({ body }) =>
    (body as JsonObject).version === 1
      ? {
          ok: false,
          error: { ...failure('CONFLICT'), status: 409, type: 'VERSION_CONFLICT', data: { current: record } },
        }
      : { meta: { code: 200 }, data: { id: 'c1' } }
}

export interface MemoryWorld {
  readonly ports: Ports
  readonly requests: HttpRequest[]
  readonly toasts: ToastOptions[]
  readonly modals: ModalOptions[]
  /** Calls of the navigator and the device, in order. */
  readonly acts: string[]
  /** The answers of the next modals; cancel when empty. */
  readonly answers: boolean[]
  /** Advances the clock. */
  pass(ms: number): Promise<void>
}

/** Ports in memory: the clock advances on demand, the server is a function, the user's answers are a list. */
export function memoryWorld(
  options: {
    readonly server?: Server
    readonly script?: Script
    readonly place?: Place | 'refused' | 'unavailable'
  } = {},
): MemoryWorld {
  let now = Date.parse('2026-11-20T09:00:00+08:00')
  let ids = 0
  let timers: { at: number; task: () => void }[] = []
  const requests: HttpRequest[] = []
  const toasts: ToastOptions[] = []
  const modals: ModalOptions[] = []
  const acts: string[] = []
  const answers: boolean[] = []
  const stored = new Map<string, Json>()
  const act =
    (name: string) =>
    (url: unknown): void =>
      void acts.push(`${name} ${String(url ?? '')}`.trim())
  const answer = async (request: HttpRequest): Promise<Outcome<HttpResponse>> => {
    requests.push(request)
    const value = await (options.server?.(request) ?? null)
    if (typeof value === 'object' && value !== null && 'ok' in value) return value as Outcome<HttpResponse>
    return { ok: true, value: { status: 200, headers: {}, data: value as Json } }
  }
  const ports: Ports = {
    http: { send: answer, upload: ({ url }) => answer({ url, method: 'POST' }) },
    clock: {
      now: () => now,
      after(delayMs, task) {
        const timer = { at: now + delayMs, task }
        timers.push(timer)
        return () => {
          timers = timers.filter((each) => each !== timer)
        }
      },
    },
    random: { uuid: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}` },
    storage: {
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, value),
      remove: async (key) => void stored.delete(key),
    },
    navigator: {
      open: act('open'),
      redirect: act('redirect'),
      relaunch: act('relaunch'),
      switchTab: act('switchTab'),
      back: act('back'),
    },
    feedback: {
      toast: (toast) => void toasts.push(toast),
      loading: () => () => {},
      modal: async (modal) => {
        modals.push(modal)
        return { confirm: answers.shift() ?? false }
      },
      actionSheet: async () => 0,
    },
    session: {
      signIn: async () => act('signIn')(''),
      signOut: async () => act('signOut')(''),
      refresh: async () => act('refreshUser')(''),
    },
    device: {
      dial: act('dial'),
      copy: async (text) => {
        act('copy')(text)
        return true
      },
      share: async () => act('share')(''),
      addressOf: (url) => url,
      openDocument: async () => true,
      locate: async (from = null) => {
        if (from !== null) act('locate')(JSON.stringify(from))
        return options.place ?? 'unavailable'
      },
    },
    script: options.script ?? {
      open: () => ({
        post() {},
        setContext() {},
        ask: async () => ({ ok: true, value: null }),
        settled: async () => {},
        dispose() {},
      }),
    },
    text: (code, params) => (params ? `${code}${JSON.stringify(params)}` : code),
  }
  return {
    ports,
    requests,
    toasts,
    modals,
    acts,
    answers,
    async pass(ms) {
      now += ms
      const due = timers.filter((timer) => timer.at <= now)
      timers = timers.filter((timer) => timer.at > now)
      for (const timer of due) timer.task()
      await new Promise((resolve) => setTimeout(resolve, 0))
    },
  }
}
