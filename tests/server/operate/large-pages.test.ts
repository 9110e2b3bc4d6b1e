import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

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
