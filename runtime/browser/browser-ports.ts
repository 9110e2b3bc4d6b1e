import type { Json } from '../core/json.ts'
import type { Device, Navigator, Ports, Storage } from '../core/ports.ts'
import { createHttp } from '../net/http.ts'
import { createBrowserScript } from '../sandbox/browser-script.ts'
import { type Catalogue, createText } from './catalogue-text.ts'
import { browserClock as clock, browserRandom as random } from './clock.ts'
import { createDialogs } from './dialogs.ts'

/** What a host of pages must bring, and what it may. */
export interface BrowserPortsOptions {
  /** Texts that widgets and messages show, by code; the package brings them as `texts/<language>.json`. */
  readonly texts: Catalogue
  /**
   * Makes the worker in which code of pages runs, from the package's `worker.js`. Its response must carry the policy
   * `default-src 'none'; script-src 'wasm-unsafe-eval'`, so that the code in it reaches nothing. Missing: opening a page with code
   * throws.
   */
  readonly worker?: () => Worker
  /** Ports of the host's own; each takes the place of the one made here. */
  readonly given?: Partial<Ports>
}

/**
 * The ports of a page in a browser outside of the CRM: calls by `fetch`, notices and questions by the browser's own dialogs, values kept as
 * long as the document lives. Navigation visits addresses of the web, and nothing else; the actions of a login fail by a message.
 */
export function browserPorts({ texts, worker, given = {} }: BrowserPortsOptions): Ports {
  const text = given.text ?? createText(texts)
  const feedback = given.feedback ?? createDialogs({ text, clock: given.clock ?? clock })
  return {
    text,
    clock,
    random,
    feedback,
    http: createHttp(),
    storage: createMemory(),
    navigator: browserNavigator,
    session: { signIn: noLogin, signOut: noLogin, refresh: noLogin },
    device: browserDevice,
    script: createBrowserScript(worker ?? noWorker),
    ...given,
  }
}

function createMemory(): Storage {
  const entries = new Map<string, Json>()
  return {
    get: async (key) => structuredClone(entries.get(key)),
    set: async (key, value) => void entries.set(key, structuredClone(value)),
    remove: async (key) => void entries.delete(key),
  }
}

/** The address of a visit. @throws for what is none: `javascript:` in a page's data must not run */
function webAddress(url: string): string {
  const address = new URL(url, location.href)
  if (!/^(?:https?|tel):$/.test(address.protocol)) throw new Error(`no address of the web: ${url}`)
  return address.href
}

/** A page outside of a shell has no stack: a move is a visit, and Back is the browser's. */
const visit = (url: string): void => location.assign(webAddress(url))
const browserNavigator: Navigator = {
  open: visit,
  redirect: (url) => location.replace(webAddress(url)),
  relaunch: visit,
  switchTab: visit,
  back: (delta = 1) => history.go(-delta),
}

const copy = (words: string): Promise<boolean> =>
  navigator.clipboard.writeText(words).then(
    () => true,
    () => false,
  )
const browserDevice: Device = {
  dial: (phone) => visit(`tel:${phone.replace(/[^\d+*#]/g, '')}`),
  copy,
  share: async ({ url }) => void (await copy(browserDevice.addressOf(url))),
  addressOf: (url) => new URL(url, location.href).href,
  openDocument: async (url) => openBeside(url),
  locate: async () => 'unavailable',
}

/** With `noopener` a browser does not say whether it opened anything. */
function openBeside(url: string): boolean {
  window.open(webAddress(url), '_blank', 'noopener')
  return true
}

async function noLogin(): Promise<void> {
  throw new Error('there is no login here: give browserPorts a session')
}

function noWorker(): never {
  throw new Error('the page has code: give browserPorts a worker')
}
