import { browserPorts } from '../../runtime/browser/browser-ports.ts'
import { browserClock } from '../../runtime/browser/clock.ts'
import type { Http } from '../../runtime/core/ports.ts'
import { createHttp } from '../../runtime/net/http.ts'
import type { Dialog } from '../../src/app/device/feedback.ts'
import { createFeedback } from '../../src/app/device/feedback.ts'
import { linkCloud } from '../../src/app/net/cloud-link.ts'
import { linkConnections } from '../../src/app/net/connection-link.ts'
import { createAnswerCache } from '../../src/app/offline/answer-cache.ts'
import { createCachedHttp } from '../../src/app/offline/cached-http.ts'
import { createOwnedStorage } from '../../src/app/storage/owned-storage.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { memoryDatabase } from '../support/memory-database.ts'
import { memoryStorage } from '../support/memory-storage.ts'
import { clockPortContract } from './clock-port.ts'
import { feedbackPortContract } from './feedback-port.ts'
import { httpPortContract } from './http-port.ts'
import { storagePortContract } from './storage-port.ts'

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

clockPortContract('of a browser', () => ({ clock: browserClock, pass: wait }))
clockPortContract('of the tests', () => {
  const clock = fakeClock()
  return { clock, pass: clock.pass }
})

/** Ports of a host in Node: nothing in them uses the document. */
const feedback = createFeedback({ clock: browserClock, toastMs: 1500, loadingText: () => '' })
storagePortContract('of a package host', () => browserPorts({ texts: {}, given: { feedback } }).storage)
storagePortContract('of the tests', memoryStorage)
storagePortContract('of one person on a device', () =>
  createOwnedStorage(
    memoryStorage(),
    () => 'tenant/person',
    async () => null,
  ),
)

const network = () => createHttp({ retryDelayMs: 1 })
/** An app with a device cache: each of its reads may be cached. */
const keeping = (): Http => {
  const answers = createAnswerCache({
    database: memoryDatabase().database,
    signIn: () => 'tenant/person',
    now: browserClock.now,
    limits: { count: 10, chars: 10_000 },
  })
  const http = createCachedHttp({ http: network(), answers, online: () => true, later: (task) => task() })
  return { ...http, send: (request) => http.send({ ...request, keep: true }) }
}
httpPortContract('of fetch', network)
httpPortContract('that keeps answers on the device', keeping)
httpPortContract('that reaches connections of the tenant', () => linkConnections(network()))
httpPortContract(
  'that reaches the cloud',
  () => linkCloud(network(), () => Promise.reject(new Error('no call here is of the cloud'))).http,
)
httpPortContract('of a package host', () => browserPorts({ texts: {}, given: { feedback } }).http)

feedbackPortContract("of the app's shell", async () => {
  const port = createFeedback({ clock: browserClock, toastMs: 1500, loadingText: () => '加载中' })
  const dialog = (): Dialog => {
    const open = port.state.get().dialog
    if (open === null) throw new Error('no dialog is in sight')
    return open
  }
  return {
    toast: async (options) => port.toast(options),
    loading: async (words) => {
      const end = port.loading(words)
      return async () => end()
    },
    modal: port.modal,
    actionSheet: port.actionSheet,
    notice: async () => port.state.get().notice?.text ?? null,
    async press(word) {
      const open = dialog()
      if (open.kind === 'modal') open.answer(word === open.confirmText)
      else open.answer(open.items.indexOf(word))
    },
    async dismiss() {
      const open = dialog()
      if (open.kind === 'modal') open.answer(false)
      else open.answer(-1)
    },
  }
})
