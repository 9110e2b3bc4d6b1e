import type { Json } from '../../../runtime/core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import type { Tapped } from '../shell-worker/pushes.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'

const KEY = 'push'
const SOURCE = /^local:\/push(\/change)?$/

/** What the app's own pages and the shell have of messages to this device; the rest (push.ts) is fetched by whoever wants them. */
export interface PushLink {
  /** The answer of `local:/push` and `local:/push/change`; null for any other address. */
  answer(request: Pick<HttpRequest, 'url' | 'body'>): Promise<Outcome<HttpResponse>> | null
  /** Somebody is signed in: this device is told for them still, or for nobody any more. */
  signedIn(): void
  /** By their own wish: nothing more comes to this device. */
  signedOut(): void
}

interface PushLinkParts {
  readonly storage: TypedStorage
  /** Asks the server in the name of whoever is signed in. */
  readonly http: Pick<Http, 'send'>
  readonly owner: () => string
  readonly readUrl: string
  /** Opens a page of the app. */
  readonly open: (url: string) => void
  /** Where the app's worker speaks; undefined where there is none. */
  readonly worker: Pick<ServiceWorkerContainer, 'addEventListener'> | undefined
  /** The message of the notice by which the app was opened, once; null for any other start. */
  readonly takeTold: () => string | null
}

/** Joins a device's messages to the session. */
export function linkPush(parts: PushLinkParts): PushLink {
  const { storage, http, owner } = parts
  const device = async () =>
    (await import('./push.ts')).createPushDevice({
      http,
      isKnown: () => known() === owner(),
      remember: (isOn: boolean) => (isOn ? storage.set(KEY, owner()) : storage.remove(KEY)),
    })
  const known = (): Json | undefined => storage.get(KEY)
  // Who came by a notice has read what it says.
  const read = (told: string): void =>
    void http.send({ url: parts.readUrl, method: 'POST', body: { ids: [told] } })
  parts.worker?.addEventListener('message', ({ data }: MessageEvent<Partial<Tapped> | null>) => {
    if (typeof data?.url !== 'string' || typeof data.told !== 'string') return
    read(data.told)
    parts.open(data.url)
  })
  return {
    answer({ url, body }) {
      const [found, change] = SOURCE.exec(url) ?? []
      if (found === undefined) return null
      return device().then((one) => one.answer(change === undefined ? null : (body ?? null)))
    },
    signedIn() {
      const told = parts.takeTold()
      if (told !== null) read(told)
      if (known() !== undefined)
        void device().then((one) => (known() === owner() ? one.renew() : one.leave()))
    },
    signedOut() {
      if (known() !== undefined) void device().then((one) => one.leave())
    },
  }
}

/** Takes the name of the message off the address, or a reload of the page would read it again. */
export function takeTold(): string | null {
  const told = new URLSearchParams(location.search).get('told')
  if (told !== null) history.replaceState(history.state, '', location.pathname + location.hash)
  return told
}
