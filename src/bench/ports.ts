import { failure } from '../../runtime/core/errors.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import texts from '../../schemas/text/zh-hans.json'
import { browserClock, browserRandom } from '../app/device/ports.ts'
import { script } from '../app/device/script.ts'
import { createText } from '../app/words/text.ts'

const stored = new Map<string, Json>()
const noNetwork = async () => ({ ok: false as const, error: failure('NETWORK') })

/** The world of the benchmark: real texts, clock and scripts, no network; whatever is asked is agreed to. */
export const benchPorts: Ports = {
  text: createText(texts),
  clock: browserClock,
  random: browserRandom,
  script,
  http: { send: noNetwork, upload: noNetwork },
  storage: {
    get: async (key) => stored.get(key),
    set: async (key, value) => void stored.set(key, value),
    remove: async (key) => void stored.delete(key),
  },
  navigator: { open() {}, redirect() {}, relaunch() {}, switchTab() {}, back() {} },
  feedback: {
    toast() {},
    loading: () => () => {},
    modal: async () => ({ confirm: true }),
    actionSheet: async () => -1,
  },
  session: { signIn: async () => {}, signOut: async () => {}, refresh: async () => {} },
  device: {
    dial() {},
    copy: async () => true,
    share: async () => {},
    addressOf: (url) => url,
    openDocument: async () => true,
    locate: async () => 'unavailable',
  },
}
