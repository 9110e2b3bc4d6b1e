import { failure } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Ports } from '../../core/ports.ts'

/**
 * The ports of a form on trial. Anybody may have written the form, and it runs in another user's session: it makes no calls, opens no pages and
 * stores nothing. Attempts are reported instead.
 */
export function previewPorts(ports: Ports, tell: (event: string, detail: Json) => void): Ports {
  const stored = new Map<string, Json>()
  const refuse = async (event: string, url: string) => {
    tell(event, url)
    return { ok: false as const, error: { ...failure('NETWORK'), message: ports.text('preview.noNetwork') } }
  }
  const go = (event: string) => (url: string) => tell(event, url)
  return {
    ...ports,
    http: {
      send: ({ method, url }) => refuse(`request ${method}`, url),
      upload: ({ url }) => refuse('upload', url),
    },
    storage: {
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, value),
      remove: async (key) => void stored.delete(key),
    },
    files: { known: () => undefined, find: async () => null },
    navigator: {
      open: go('navigate'),
      redirect: go('redirect'),
      relaunch: go('relaunch'),
      switchTab: go('switchTab'),
      back: (delta = 1) => tell('back', delta),
    },
    session: {
      signIn: async () => tell('signIn', null),
      signOut: async () => tell('signOut', null),
      refresh: async () => tell('refreshUser', null),
    },
    device: {
      dial: (phone) => tell('dial', phone),
      async copy(text) {
        tell('copy', text)
        return true
      },
      share: async ({ url }) => tell('share', url),
      addressOf: (url) => url,
      async openDocument(url) {
        tell('openDocument', url)
        return true
      },
      async locate() {
        tell('locate', '')
        return 'unavailable'
      },
    },
  }
}
