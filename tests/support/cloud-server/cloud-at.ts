import { type Cloud, type CloudPorts, type CloudSpace, createCloud } from '../../../runtime/cloud/index.ts'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { FileHandle, ModalOptions, ToastOptions } from '../../../runtime/core/ports.ts'
import { createHttp } from '../../../runtime/net/http.ts'
import texts from '../../../schemas/text/zh-hans.cloud.json' with { type: 'json' }
import { memoryStorage } from '../memory-storage.ts'
import type { CloudServer } from './cloud-server.ts'
import { fetchTransfer } from './fetch-transfer.ts'
import { rerouteTo } from './reroute.ts'

export const NOW = 1_700_000_000_000

/** Device facts that both clients report in tests. */
export const SYSTEM: JsonObject = {
  appId: '__UNI__TEST',
  appName: 'vform-crm',
  deviceId: 'device-1',
  osName: 'android',
  uniPlatform: 'web',
  ua: 'test',
  windowWidth: 390,
}

/** The dialogs the user saw, in order. */
interface Screen {
  readonly toasts: ToastOptions[]
  readonly modals: ModalOptions[]
  /** Titles of all loading indicators that were opened. */
  readonly loadings: string[]
  /** How many are open now. */
  open: number
  /** The user's answers to the next modals; cancel when empty. */
  readonly presses: boolean[]
}

export interface CloudScene {
  readonly cloud: Cloud
  readonly ports: CloudPorts
  readonly storage: ReturnType<typeof memoryStorage>
  readonly screen: Screen
  readonly log: string[]
  /** The clock is moved by the test. */
  readonly time: { now: number }
}

/** A client on the real Http port, connected to the test server. */
export function cloudAt(server: CloudServer, ...spaces: readonly CloudSpace[]): CloudScene {
  const storage = memoryStorage()
  const time = { now: NOW }
  const log: string[] = []
  const screen: Screen = { toasts: [], modals: [], loadings: [], open: 0, presses: [] }
  const reroute = rerouteTo(server.origin)
  let made = 0
  const ports: CloudPorts = {
    http: createHttp({ fetch: reroute, transfer: fetchTransfer(reroute), retryDelayMs: 1 }),
    clock: {
      now: () => time.now,
      after(delayMs, task) {
        const timer = setTimeout(task, delayMs)
        return () => clearTimeout(timer)
      },
    },
    random: {
      uuid() {
        made += 1
        return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
      },
    },
    storage,
    feedback: {
      toast: (options) => void screen.toasts.push(options),
      loading(text) {
        screen.loadings.push(text ?? '')
        screen.open += 1
        return () => {
          screen.open -= 1
        }
      },
      async modal(options) {
        screen.modals.push(options)
        return { confirm: screen.presses.shift() ?? false }
      },
      actionSheet: async () => -1,
    },
    text: (code, params) => fillPlaces(texts[code as keyof typeof texts] ?? code, params),
    log: (level, message) => void log.push(`${level} ${message}`),
  }
  const cloud = createCloud({ spaces, ports, client: { system: () => SYSTEM, locale: () => 'zh-Hans' } })
  return { cloud, ports, storage, screen, log, time }
}

/** A picked file. */
export function aFile(name: string, text = 'content'): FileHandle {
  const blob = new Blob([text])
  return { name, size: blob.size, type: 'text/plain', handle: blob }
}
