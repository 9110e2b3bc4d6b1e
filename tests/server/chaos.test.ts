import { afterAll, beforeAll, expect, it } from 'vitest'
import { createText } from '../../runtime/browser/catalogue-text.ts'
import { browserRandom } from '../../runtime/browser/clock.ts'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { createHttp } from '../../runtime/net/http.ts'
import texts from '../../schemas/text/zh-hans.json'
import { createFeedback } from '../../src/app/device/feedback.ts'
import { createProductHttp } from '../../src/app/net/api.ts'
import { createSession } from '../../src/app/session/session.ts'
import { createTypedStorage } from '../../src/app/storage/typed-storage.ts'
import { aPage, aWidget, registry } from '../support/a-page.ts'
import { long } from '../support/long.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { seeded } from '../support/seeded.ts'
import { startUnrulyProxy, type UnrulyProxy } from '../support/unruly-proxy.ts'
import { openTestApp, type TestApp } from './support.ts'

/** Duration of the day; 300 s in manual runs. */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 6)
const PHONES = 4
/** A person may hold 200 customers; then only calls are logged. */
const MAX_CUSTOMERS = 40

let server: TestApp
let proxy: UnrulyProxy
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  server = await openTestApp()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const address = server.app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  proxy = await startUnrulyProxy(`http://127.0.0.1:${port}`, seeded(76))
})
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled)
  await proxy.close()
  await server.close()
})

it(`over a network that loses, delays and cuts connections, a day of ${SECONDS} s loses no write, duplicates none, and leaves no call pending`, {
  ...long,
  timeout: (SECONDS + 60) * 1_000,
}, async () => {
  const end = Date.now() + SECONDS * 1_000
  const demo = await server.as('demo')
  const phones = await Promise.all(Array.from({ length: PHONES }, (_, at) => aPhone(at, demo.token)))

  const days = await Promise.all(phones.map((phone) => workUntil(end, phone)))

  const written = days.flatMap((day) => day.customers)
  const found: string[] = []
  for (const name of written) {
    const { data } = await demo.post('/mini/customer/list', { tab: 'all', keyword: name })
    found.push(...data.list.map((row: JsonObject) => String(row.name)))
  }
  const followed = await Promise.all(
    days
      .flatMap((day) => day.follows)
      .map(async ({ customer, content }) => {
        const { data } = await demo.post('/mini/follow/list', { targetType: 'customer', targetId: customer })
        return data.list.filter((row: JsonObject) => row.content === content).length
      }),
  )
  console.log(
    `chaos: ${written.length} customers, ${followed.length} follow-ups, ${days.reduce((sum, day) => sum + day.reads, 0)} reads, ${days.reduce((sum, day) => sum + day.retries, 0)} taps on retry; calls ${JSON.stringify(proxy.dealt)}`,
  )
  expect(written.length).toBeGreaterThan(0)
  expect(found.sort()).toEqual([...written].sort())
  expect(followed).toEqual(followed.map(() => 1))
  expect(phones.map((phone) => phone.feedback.state.get().notice?.icon)).not.toContain('loading')
  expect(phones.map((phone) => phone.feedback.state.get().dialog)).toEqual(phones.map(() => null))
  expect(unhandled).toEqual([])
})

interface Day {
  readonly customers: string[]
  readonly follows: { readonly customer: string; readonly content: string }[]
  reads: number
  retries: number
}

/** Reads the list, writes a customer and logs a call, repeatedly; each action is retried until it succeeds. */
async function workUntil(end: number, phone: Phone): Promise<Day> {
  const day: Day = { customers: [], follows: [], reads: 0, retries: 0 }
  const ids: string[] = []
  for (let round = 0; Date.now() < end; round += 1) {
    if (ids.length < MAX_CUSTOMERS) {
      const name = `${WORDS[phone.at]}${browserRandom.uuid().slice(0, 8)}`
      const mobile = `13${phone.at}${10_000_000 + round}`
      ids.push(await phone.submit('customer', { name, mobile }))
      day.customers.push(name)
    }
    const customer = ids[round % ids.length] ?? ''
    const content = `电话沟通，第 ${round} 次`
    await phone.submit('follow', { target_id: customer, content })
    day.follows.push({ customer, content })
    if (await phone.read()) day.reads += 1
    await phone.session.refresh()
  }
  day.retries = phone.retries()
  return day
}

const WORDS = ['星河', '远山', '长风', '晴川']
const FORM = {
  customer: { url: '/mini/customer/create', fields: ['name', 'mobile'], fixed: {} },
  follow: {
    url: '/mini/follow/create',
    fields: ['target_id', 'content'],
    fixed: { target_type: 'customer', method: 'call' },
  },
} as const

type Phone = Awaited<ReturnType<typeof aPhone>>

/** The shell's own session, protocol and feedback, and real forms, behind the unreliable network. Its user presses retry. */
async function aPhone(at: number, token: string) {
  const world = memoryWorld()
  const clock = { now: () => server.clock.now, after: realAfter }
  const text = createText(texts)
  const feedback = createFeedback({ clock, toastMs: 50, loadingText: () => '' })
  let retries = 0
  feedback.state.subscribe(() => {
    const { dialog } = feedback.state.get()
    if (dialog?.kind !== 'modal') return
    retries += 1
    setTimeout(() => dialog.answer(true), 5)
  })
  const stored = new Map<string, string>()
  const session = createSession({
    storage: createTypedStorage({
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => stored.set(key, value),
      removeItem: (key) => stored.delete(key),
    }),
    perVisit: createTypedStorage({ getItem: () => null, setItem() {}, removeItem() {} }),
    clock,
    feedback,
    text,
    limits: { shortcut: { max: 4 }, common: { max: 8 }, bottom: { max: 3 } },
    urls: {
      detail: url('/mini/user/detail'),
      dict: url('/engine/web/dict/list'),
      logout: url('/mini/login/logout'),
    },
    onIdentityChange() {},
    onTokenChange() {},
    onSigningOut: async () => true,
    onLeave() {},
    onSignedOut() {},
    newId: browserRandom.uuid,
  })
  const { http, quiet } = createProductHttp({
    http: createHttp({ retryDelayMs: 20 }),
    origin: proxy.origin,
    prefixes: ['/mini/', '/engine/'],
    timeoutMs: 10_000,
    token: session.token,
    headers: { 'X-Device-Id': `phone-${at}` },
    feedback,
    text,
    online: () => true,
    onSessionOver: (message) => unhandled.push(message),
    onPasswordDue: (message) => unhandled.push(message),
    onRightsChanged() {},
    onRenewed: session.renew,
    onReach() {},
    onDate() {},
  })
  session.connect(quiet)
  await session.signIn({ token })

  const ports = { ...world.ports, http, clock, random: browserRandom, feedback, text }
  const open = (form: keyof typeof FORM): Engine => {
    const { url: path, fields, fixed } = FORM[form]
    const items = [...fields, ...Object.keys(fixed)].map((name) => ({
      name,
      type: Object.hasOwn(fixed, name) ? 'String' : 'Variable',
      value: Object.hasOwn(fixed, name) ? (fixed as Record<string, string>)[name] : `form.${name}`,
    }))
    const clientToken = { name: 'clientToken', type: 'Variable', value: 'DSV.clientToken' }
    const click = [
      { do: 'submit', dsName: 'save', then: [{ do: 'set', data: 'saved', value: '{{ result.id }}' }] },
    ]
    return createEngine({
      page: aPage(
        [...fields.map((name) => aWidget('input', name)), aWidget('button', 'go', { on: { click } })],
        {
          dataSources: [
            {
              uniqueName: 'save',
              requestURL: url(path),
              requestMethod: 'post',
              data: [...items, clientToken],
            },
            {
              uniqueName: 'list',
              requestURL: url('/mini/customer/list'),
              requestMethod: 'post',
              data: [{ name: 'tab', type: 'String', value: 'all' }],
            },
          ],
        },
      ),
      registry,
      ports,
    })
  }
  return {
    at,
    session,
    feedback,
    retries: () => retries,
    /** Fills in the form and taps its button until it is saved. @returns the record's id */
    async submit(form: keyof typeof FORM, values: JsonObject): Promise<string> {
      const engine = open(form)
      const saved = () => engine.scope().data.saved
      engine.setValues(values)
      const button = engine.find('go') ?? ''
      for (let taps = 0; typeof saved() !== 'string' && taps < 20; taps += 1)
        await engine.event(button, 'click')
      const id = saved()
      engine.dispose()
      if (typeof id !== 'string')
        throw new Error(`${form} was never saved: ${feedback.state.get().notice?.text}`)
      return id
    },
    async read(): Promise<boolean> {
      const engine = open('customer')
      const outcome = await engine.request('list')
      engine.dispose()
      return outcome.ok
    },
  }
}

const url = (path: string) => `${proxy.origin}${path}`

function realAfter(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs)
  return () => clearTimeout(timer)
}
