import { createText } from '../../../runtime/browser/catalogue-text.ts'
import { browserRandom } from '../../../runtime/browser/clock.ts'
import { failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Outcome, Ports, ScriptSession } from '../../../runtime/core/ports.ts'
import texts from '../../../schemas/text/zh-hans.json'

/** Ports described as data, so that a test can pass them to the browser. */
export interface StageWorld {
  readonly values?: JsonObject
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
  readonly data?: JsonObject
  readonly readMode?: boolean
  /** Answers by address; a list is used in order, its last item repeatedly. `null` is a lost network, `{ refused }` a refusal, `{ fault }` a server error (500). */
  readonly answers?: Readonly<Record<string, readonly Json[]>>
  /** Delay before each answer; default 0. */
  readonly delayMs?: number
  /** Uploads stop half-way until the window receives this event. */
  readonly uploadsEndOn?: string
  /** The answer to uploads; null fails. */
  readonly uploaded?: Json
  /** Answers to uploads in order, the last repeatedly; null fails. Takes precedence over `uploaded`. */
  readonly uploads?: readonly Json[]
  /** Current addresses of stored files (`cloud://…`). */
  readonly addresses?: Readonly<Record<string, string>>
  /** The record created on a form that the page opens to choose it; default: the form is left. */
  readonly made?: Json
  /** Whether the device can open documents; default true. */
  readonly opensDocuments?: boolean
}

/** Runs nothing; reports the hooks it was asked to run. */
const idle = (tell: (...call: readonly Json[]) => void): ScriptSession => ({
  post: (_turn, _writes, fire) => {
    for (const { hook, key } of fire) tell('hook', hook, key)
  },
  setContext() {},
  ask: async () => ({ ok: false, error: failure('SCRIPT_ERROR', { reason: 'the stage runs no scripts' }) }),
  settled: async () => {},
  dispose() {},
})

/** The ports of the stage; `tell` receives all calls of the page. Questions are answered with yes. */
export function stagePorts(world: StageWorld, tell: (...call: readonly Json[]) => void): Ports {
  const stored = new Map<string, Json>()
  const turns = new Map<string, number>()
  let uploads = 0
  const answer = async (
    url: string,
  ): Promise<Outcome<{ status: number; headers: Record<string, string>; data: Json }>> => {
    await new Promise((resolve) => setTimeout(resolve, world.delayMs ?? 0))
    const [path = ''] = url.split('?')
    const list = world.answers?.[path]
    const turn = turns.get(path) ?? 0
    turns.set(path, turn + 1)
    const data = list?.[Math.min(turn, list.length - 1)]
    if (data === undefined || data === null) return { ok: false, error: failure('NETWORK') }
    if (isObject(data) && typeof data.fault === 'string')
      return {
        ok: false,
        error: failure('HTTP_STATUS', { status: 500 }, { status: 500, data: { error: data.fault } }),
      }
    return isObject(data) && typeof data.refused === 'string'
      ? { ok: false, error: failure('REFUSED', { reason: data.refused }, { message: data.refused }) }
      : { ok: true, value: { status: 200, headers: {}, data } }
  }
  const go = (how: string) => (url: string) => tell(how, url)
  return {
    text: createText(texts),
    clock: {
      now: () => Date.now(),
      after(delayMs, task) {
        const timer = setTimeout(task, delayMs)
        return () => clearTimeout(timer)
      },
    },
    random: browserRandom,
    http: {
      send(request) {
        tell('send', request.url, request.body ?? null)
        return answer(request.url)
      },
      async upload({ url, file, onProgress }) {
        tell('upload', url, file.name)
        onProgress?.(50)
        const { uploadsEndOn } = world
        if (uploadsEndOn !== undefined)
          await new Promise((resolve) => addEventListener(uploadsEndOn, resolve, { once: true }))
        const data = world.uploads?.[Math.min(uploads++, world.uploads.length - 1)] ?? world.uploaded ?? null
        return data === null
          ? { ok: false, error: failure('NETWORK') }
          : { ok: true, value: { status: 200, headers: {}, data } }
      },
    },
    storage: {
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, value),
      remove: async (key) => void stored.delete(key),
    },
    files: {
      known: () => undefined,
      async find(id) {
        tell('address', id)
        return world.addresses?.[id] ?? null
      },
    },
    navigator: {
      open: go('open'),
      redirect: go('redirect'),
      relaunch: go('relaunch'),
      switchTab: go('switchTab'),
      back: (delta = 1) => tell('back', delta),
      async ask(url) {
        tell('ask', url)
        return world.made ?? null
      },
    },
    feedback: {
      toast: ({ text }) => tell('toast', text),
      loading: () => () => {},
      async modal({ content }) {
        tell('modal', content)
        return { confirm: true }
      },
      async actionSheet() {
        return -1
      },
    },
    session: { signIn: async () => {}, signOut: async () => {}, refresh: async () => {} },
    device: {
      dial: (phone) => tell('dial', phone),
      async copy(text) {
        tell('copy', text)
        return true
      },
      share: async () => {},
      addressOf: (url) => url,
      async openDocument(url) {
        tell('openDocument', url)
        return world.opensDocuments ?? true
      },
      locate: async () => 'unavailable',
    },
    script: { open: () => idle(tell) },
  }
}
