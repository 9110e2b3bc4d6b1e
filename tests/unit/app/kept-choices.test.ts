import { describe, expect, it } from 'vitest'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { createAnswerCache } from '../../../src/app/offline/answer-cache.ts'
import { createCachedHttp } from '../../../src/app/offline/cached-http.ts'
import { memoryDatabase } from '../../support/memory-database.ts'

const PICK = '/mini/customer/options'
const row = (value: string, label: string, desc = ''): JsonObject => ({ value, label, desc, disabled: false })
const STAR = row('c1', '星河科技', 'KH001')
const MOON = row('c2', '月湖贸易')

describe('a picker without a network', () => {
  it('searches all cached answers of the module’s pickers, and the rows of its lists', async () => {
    const app = aDevice()
    await app.read(`${PICK}?keyword=`, { list: [STAR], nextCursor: 'c1' })
    await app.read(`${PICK}?keyword=%E6%9C%88`, { list: [MOON], nextCursor: null })
    const card = { id: 'c3', name: '星海实业', level: 'A' }
    await app.read('/mini/customer/list', { list: [card, { id: 'c1', name: '旧名' }] }, 'POST')
    await app.read('/mini/pool/customer/list', { list: [{ id: 'c4', name: '星在公海' }] }, 'POST')
    await app.read('/mini/contact/options?keyword=', { list: [row('k1', '星小姐')] })
    app.goAway()

    expect(await app.pick(`${PICK}?keyword=%E6%98%9F`)).toEqual([STAR, row('c3', '星海实业')])
    expect(await app.pick(`${PICK}?keyword=kh001`)).toEqual([STAR])
    expect(await app.pick(`${PICK}?ids=c2,c3`)).toEqual([MOON, row('c3', '星海实业')])
    expect(await app.pick(`${PICK}?cursor=c1`)).toEqual([])
    expect(await app.pick(`${PICK}?keyword=`)).toEqual([STAR])
  })

  it('names own modules by title, and never answers another request', async () => {
    const app = aDevice()
    await app.read('/mini/m/ticket/list', { list: [{ id: 't1', title: '门口机不亮' }] }, 'POST')
    await app.read('/mini/customer/list', { list: [{ id: 'c3', name: '星海实业' }] }, 'POST')
    await app.read(`${PICK}?filter=deal&keyword=`, { list: [STAR] })
    app.goAway()

    expect(await app.pick('/mini/m/ticket/options?keyword=%E9%97%A8')).toEqual([row('t1', '门口机不亮')])
    expect(await app.pick(`${PICK}?keyword=%E6%98%9F&filter=deal`)).toEqual([STAR])
    expect(await app.pick('/mini/contact/options?keyword=')).toBeNull()
  })

  it('finds nothing of the previous user of the device', async () => {
    const app = aDevice()
    await app.read(`${PICK}?keyword=`, { list: [STAR] })
    app.signIn = 's2'
    app.goAway()

    expect(await app.pick(`${PICK}?keyword=x`)).toBeNull()
  })
})

describe('a record without a network', () => {
  it('opens from its last cached answer, whichever list it was opened from', async () => {
    const app = aDevice()
    await app.read('/mini/customer/detail?id=c1', { record: { name: '旧名' } })
    await app.read('/mini/customer/detail?id=c1&from=%7B%7D', { record: { name: '星河科技' } })
    await app.read('/mini/customer/detail?id=c2&from=%7B%7D', { record: { name: '月湖贸易' } })
    await app.read('/mini/lead/detail?id=c3', { record: { name: '线索' } })
    app.goAway()

    expect(await app.record('/mini/customer/detail?id=c2')).toEqual({ name: '月湖贸易' })
    expect(await app.record('/mini/customer/detail?id=c1&from=x')).toEqual({ name: '星河科技' })
    expect(await app.record('/mini/customer/detail?id=c3')).toBeNull()
    expect(await app.record('/mini/customer/detail')).toBeNull()
  })
})

describe('a search of some kinds of records without a network', () => {
  const FOUND = { type: 'customer', id: 'c1', title: '星河科技', sub: 'KH001', follow: true }

  it('finds the cached records of these kinds, by words; without words it shows all', async () => {
    const app = aDevice()
    await app.read(`${PICK}?keyword=`, { list: [STAR, { ...MOON, disabled: true }] })
    await app.read('/mini/lead/list', { list: [{ id: 'l1', name: '星小姐' }] }, 'POST')
    await app.read('/mini/contact/list', { list: [{ id: 'k1', name: '星先生' }] }, 'POST')
    app.goAway()
    const lead = { type: 'lead', id: 'l1', title: '星小姐', sub: '', follow: true }
    const moon = { type: 'customer', id: 'c2', title: '月湖贸易', sub: '', follow: false }

    expect(await app.pick('/mini/search/global?keyword=%E6%98%9F&types=customer,lead,m')).toEqual([
      FOUND,
      lead,
    ])
    expect(await app.pick('/mini/search/recent?types=customer,lead')).toEqual([FOUND, moon, lead])
  })

  it('is not answered if no kinds are named, or none of their records are on the device', async () => {
    const app = aDevice()
    await app.read(`${PICK}?keyword=`, { list: [STAR] })
    app.goAway()

    expect(await app.pick('/mini/search/global?keyword=%E6%98%9F')).toBeNull()
    expect(await app.pick('/mini/search/recent?types=lead')).toBeNull()
  })
})

function aDevice() {
  const device = memoryDatabase()
  const app = { signIn: 's1', answer: null as Json, isAway: false }
  let time = 0
  const answers = createAnswerCache({
    database: device.database,
    signIn: () => app.signIn,
    now: () => {
      time += 1
      return time
    },
    limits: { count: 50, chars: 10_000 },
  })
  const send = async (): Promise<Outcome<HttpResponse>> =>
    app.isAway
      ? { ok: false, error: failure('NETWORK') }
      : { ok: true, value: { status: 200, headers: {}, data: { meta: { code: 200 }, data: app.answer } } }
  const http = createCachedHttp({
    http: { send, upload: send },
    answers,
    online: () => !app.isAway,
    later: (task) => task(),
  })
  const call = (url: string, method: HttpRequest['method'] = 'GET') => http.send({ url, method, keep: true })
  return Object.assign(app, {
    goAway() {
      app.isAway = true
    },
    /** Reads it while there is a network. */
    async read(url: string, data: Json, method: HttpRequest['method'] = 'GET') {
      app.answer = data
      const before = device.tables.answers.size
      await call(url, method)
      await expect.poll(() => device.tables.answers.size).toBe(before + 1)
    },
    /** The cached record; null if there is none on the device. */
    async record(url: string) {
      const outcome = await call(url)
      return outcome.ok ? (outcome.value.data as { data: { record: Json } }).data.record : null
    },
    /** The cached rows; null if there are none on the device. */
    async pick(url: string) {
      const outcome = await call(url)
      return outcome.ok ? (outcome.value.data as { data: { list: Json } }).data.list : null
    },
  })
}
