import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { PEOPLE } from '../images.ts'
import { type Answer, type Client, openTestApp, type TestApp, type Watch } from '../support.ts'

let server: TestApp
let admin: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
})
afterAll(() => server.close())

/** A page with that many inputs, each of which reads and sets others. */
const page = (fields: number, last: JsonObject = {}): JsonObject => ({
  formConfig: { jsonVersion: -3, layoutType: 'H5', page: { title: '大页面' } },
  widgetList: Array.from({ length: fields }, (_, i) => ({
    type: 'input',
    id: `g${i}`,
    formItemFlag: true,
    options: {
      name: `g${i}`,
      label: `{{ form.g${(i + 1) % fields} }}`,
      on: {
        change: [
          {
            do: 'when',
            if: { '==': [{ var: `form.g${i}` }, 'a'] },
            then: [{ do: 'set', field: `g${(i + 7) % fields}`, value: `{{ form.g${i} }}` }],
          },
        ],
      },
      ...(i === fields - 1 ? last : {}),
    },
  })),
})
const check = (document: JsonObject) =>
  admin.post('/engine/web/page/check', { path: '/pages/x/big', document })

it('a large page is checked beside the calls of others, like a small one', async () => {
  let pauses = 0
  let longest = 0
  let at = performance.now()
  const beat = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - at)
    pauses += 1
    at = now
  }, 10)

  const begun = performance.now()
  const { data, meta } = await check(page(1_500, { dict: 'no_such_dictionary', nonsense: 1 }))
  const took = performance.now() - begun
  clearInterval(beat)

  expect(meta.message).toBe('')
  const found = (given: { problems: readonly JsonObject[]; advice: readonly JsonObject[] }) =>
    [...given.problems, ...given.advice].map(({ code, message }) => [code, message])
  expect(found(data).length).toBeGreaterThan(0)
  const { data: small } = await check(page(5, { dict: 'no_such_dictionary', nonsense: 1 }))
  expect(found(data)).toEqual(found(small))
  expect(pauses).toBeGreaterThan(10)
  expect(longest).toBeLessThan(took / 2)
})

it('of several large pages of one tenant at once, some are told to come later', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => check(page(500))))

  const codes = answers.map(({ meta }) => meta.code)
  expect(codes).toContain(200)
  expect(answers.find(({ meta }) => meta.code === 429)?.meta.message).toBe('正在检查的页面较多，请稍后重试')
})

const CHANGE_SET = '/engine/web/changeset'

describe('while a large page is checked', () => {
  const held = new Set<object>()
  let watched: TestApp
  const watch: Watch = (source) => ({
    ...source,
    async acquire(isPatient) {
      const connection = await source.acquire(isPatient)
      const holding = {}
      held.add(holding)
      return {
        ...connection,
        release(isBroken) {
          held.delete(holding)
          connection.release(isBroken)
        },
      }
    },
  })
  /** @returns for each check in a thread whether a session of the database was kept from its beginning to its end */
  async function keptBy(work: () => Promise<Answer>): Promise<readonly boolean[]> {
    const kept: boolean[] = []
    const began = (worker: Worker) => {
      const before = [...held]
      worker.once('message', () => kept.push(before.some((one) => held.has(one))))
    }
    process.on('worker', began)
    const { meta } = await work()
    process.off('worker', began)
    expect([meta.code, meta.message]).toEqual([200, ''])
    return kept
  }
  beforeAll(async () => {
    watched = await openTestApp({}, PEOPLE, watch)
    admin = await watched.as('admin')
  })
  afterAll(() => watched.close())
  const publish = (path: string, document = page(1_200)) =>
    admin.post('/engine/web/page/publish', { path, base: 0, document })

  it('to be published, no session of the database waits for it', async () => {
    expect(await keptBy(() => publish('/pages/x/one'))).toEqual([false])
  })

  it('of a set, none does when it is stored, checked and published', async () => {
    const { data } = await admin.post(`${CHANGE_SET}/save`, { title: '甲' })
    const put = (i: number) =>
      admin.post(`${CHANGE_SET}/put`, {
        id: data.id,
        kind: 'page',
        change: { path: `/pages/x/set${i}`, document: page(1_200, { label: `第 ${i} 页` }), base: 0 },
      })
    const onSet = (verb: string) => admin.post(`${CHANGE_SET}/${verb}`, { id: data.id })

    expect(await keptBy(() => put(0))).toEqual([false])
    expect(await keptBy(() => put(1))).toEqual([false, false])
    expect(await keptBy(() => onSet('check'))).toEqual([false, false])
    expect(await keptBy(() => onSet('publish'))).toEqual([false, false])

    for (const i of [0, 1]) {
      const { body } = await admin.get(`/engine/web/page/detail?path=/pages/x/set${i}`)
      expect(JSON.parse(body).widgetList).toHaveLength(1_200)
    }
  })

  it('of two people who publish one large page at once one is told of the other, alone or in a set', async () => {
    const path = '/pages/x/both'
    const { data } = await admin.post(`${CHANGE_SET}/save`, { title: '丙' })
    const inSet = { kind: 'page', change: { path, document: page(600, { label: '集' }), base: 0 } }
    expect((await admin.post(`${CHANGE_SET}/put`, { id: data.id, ...inSet })).meta.code).toBe(200)

    const answers = await Promise.all([
      publish(path, page(600, { label: '一' })),
      publish(path, page(600, { label: '二' })),
      admin.post(`${CHANGE_SET}/publish`, { id: data.id }),
    ])

    expect(answers.map(({ meta }) => meta.code).sort()).toEqual([200, 409, 409])
    const refused = answers.filter(({ meta }) => meta.code === 409)
    expect(refused.map(({ meta }) => meta.error?.type)).toEqual(['VERSION_CONFLICT', 'VERSION_CONFLICT'])
    const { data: versions } = await admin.get(`/engine/web/page/versions?path=${path}`)
    expect(versions.list.map(({ revision }: JsonObject) => revision)).toEqual([1])
  })

  it('the faults of a large page in a set are told with its item', async () => {
    const { data } = await admin.post(`${CHANGE_SET}/save`, { title: '丁' })
    const path = '/pages/x/faulty'
    const change = { path, document: page(600, { dict: 'no_such_dictionary' }), base: 0 }
    expect((await admin.post(`${CHANGE_SET}/put`, { id: data.id, kind: 'page', change })).meta.code).toBe(200)

    const { meta, data: told } = await admin.post(`${CHANGE_SET}/publish`, { id: data.id })

    expect([meta.code, meta.error?.type]).toEqual([400, 'VALIDATION'])
    expect(told.items.map(({ ok, faults }: JsonObject) => [ok, String(faults).split(' ')[0]])).toEqual([
      [false, '/widgetList/599/options/dict'],
    ])
    expect((await admin.get(`/engine/web/page/detail?path=${path}`)).meta.code).toBe(404)
  })
})
