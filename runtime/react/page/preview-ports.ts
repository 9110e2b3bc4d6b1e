import { failure } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Ports } from '../../core/ports.ts'

/**
 * The ports of a form on trial. Anybody may have written the form, and it runs in another user's session: it makes no calls, opens no pages and
 * stores nothing. Attempts are reported instead.
 */
export function previewPorts(ports: Ports, report: (event: string, detail: Json) => void): Ports {
  const stored = new Map<string, Json>()
  const refuse = async (event: string, url: string) => {
    report(event, url)
    return { ok: false as const, error: { ...failure('NETWORK'), message: ports.text('preview.noNetwork') } }
  }
  const go = (event: string) => (url: string) => report(event, url)
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
      back: (delta = 1) => report('back', delta),
    },
    session: {
      signIn: async () => report('signIn', null),
      signOut: async () => report('signOut', null),
      refresh: async () => report('refreshUser', null),
    },
    device: {
      dial: (phone) => report('dial', phone),
      async copy(text) {
        report('copy', text)
        return true
      },
      share: async ({ url }) => report('share', url),
      addressOf: (url) => url,
      async openDocument(url) {
        report('openDocument', url)
        return true
      },
      async locate() {
        report('locate', '')
        return 'unavailable'
      },
    },
  }
}
