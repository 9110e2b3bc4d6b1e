import type { Json } from '../../../runtime/core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import type { Tapped } from '../shell-worker/pushes.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'

const KEY = 'push'
const SOURCE = /^local:\/push(\/change)?$/

/** Push messages as the app's pages and the shell use them. The implementation (push.ts) is loaded on demand. */
export interface PushLink {
  /** The answer of `local:/push` and `local:/push/change`; null for any other address. */
  answer(request: Pick<HttpRequest, 'url' | 'body'>): Promise<Outcome<HttpResponse>> | null
  /** Somebody has signed in: their subscription goes on, another person's ends. */
  signedIn(): void
  /** The user has signed out: push messages to this device end. */
  signedOut(): void
}

interface PushLinkParts {
  readonly storage: TypedStorage
  /** Calls the server as the signed-in user. */
  readonly http: Pick<Http, 'send'>
  readonly owner: () => string
  readonly readUrl: string
  /** Opens a page of the app. */
  readonly open: (url: string) => void
  /** Receives messages of the app's worker; undefined if there is none. */
  readonly worker: Pick<ServiceWorkerContainer, 'addEventListener'> | undefined
  /** The id of the message whose notification opened the app, once; null for any other start. */
  readonly takeMessageId: () => string | null
}

/** Connects push messages with the session. */
export function linkPush(parts: PushLinkParts): PushLink {
  const { storage, http, owner } = parts
  const device = async () =>
    (await import('./push.ts')).createPushDevice({
      http,
      isKnown: () => storedOwner() === owner(),
      remember: (isOn: boolean) => (isOn ? storage.set(KEY, owner()) : storage.remove(KEY)),
    })
  const storedOwner = (): Json | undefined => storage.get(KEY)
  // Opening a notification marks its message as read.
  const read = (messageId: string): void =>
    void http.send({ url: parts.readUrl, method: 'POST', body: { ids: [messageId] } })
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
      const messageId = parts.takeMessageId()
      if (messageId !== null) read(messageId)
      if (storedOwner() !== undefined)
        void device().then((one) => (storedOwner() === owner() ? one.renew() : one.leave()))
    },
    signedOut() {
      if (storedOwner() !== undefined) void device().then((one) => one.leave())
    },
  }
}

/** Removes the id of the message from the address, since a reload would mark it as read again. */
export function takeMessageId(): string | null {
  const messageId = new URLSearchParams(location.search).get('told')
  if (messageId !== null) history.replaceState(history.state, '', location.pathname + location.hash)
  return messageId
}
