import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../runtime/core/json.ts'
import { openTestApp, type TestApp } from '../server/support.ts'
import { objectsIn, type Product, readProduct, sourcesOf } from './product-pages.ts'

/** The values of a placeholder in an address: each call must exist. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '{{ form.module | default:customer }}': ['customer', 'lead'],
  '{{ params.module | default:customer }}': ['customer', 'lead'],
  '{{ params.place | default:customer }}': ['customer', 'contact', 'lead', 'pool/customer', 'pool/lead'],
  '{{ data.many }}': ['', '/many'],
  '{{ params.targetType | default:customer }}': ['customer', 'contact', 'lead', 'bussiness', 'contract'],
  '{{ data.detail.record.target_type | default:customer }}': [
    'customer',
    'contact',
    'lead',
    'bussiness',
    'contract',
  ],
}

describe('the data sources of the pages', () => {
  let product: Product
  let server: TestApp

  beforeAll(async () => {
    product = await readProduct()
    server = await openTestApp()
  }, 60_000)
  afterAll(() => server.close())

  it('are answered by the server', () => {
    const missing = product.pages.flatMap((page) =>
      sourcesOf(page)
        .filter(({ requestURL }) => /^\/(mini|engine)\//.test(String(requestURL)))
        .flatMap(({ requestURL, requestMethod }) =>
          addressesOf(String(requestURL)).map((url) => ({
            url,
            method: String(requestMethod).toUpperCase(),
          })),
        )
        .filter(({ url, method }) => !server.app.hasRoute({ url, method: method as HTTPMethods }))
        .map(({ url, method }) => `${page.path}: ${method} ${url}`),
    )
    expect(missing).toEqual([])
  })

  it('are required if a board or a calendar shows their answer, which would wait forever otherwise', () => {
    const waiting = product.pages.flatMap((page) =>
      [...objectsIn(page.document)]
        .filter(({ type }) => type === 'board' || type === 'agenda')
        .map(({ options }) => /^data\.(\w+)/.exec(isObject(options) ? String(options.bind) : '')?.[1])
        .filter((name) => !sourcesOf(page).some((one) => one.uniqueName === name && one.needed === true))
        .map((name) => `${page.path}: ${name}`),
    )
    expect(waiting).toEqual([])
  })

  it('are required if a form changes the record that they return', () => {
    const ofRecord = (one: JsonObject) =>
      one.uniqueName === 'detail' && /params\.id\b/.test(JSON.stringify([one.auto, one.params]))
    const blank = product.pages.flatMap((page) =>
      sourcesOf(page)
        .filter((one) => ofRecord(one) && one.auto !== undefined && one.needed !== true)
        .map(() => page.path),
    )
    expect(blank).toEqual([])
  })

  it('declare the token that makes a repeated write idempotent', () => {
    const reading =
      /\/(list|count|check|match|preview|board|deleted|nearby|stats\/(?:detail|trend|funnel|rank|analysis|team|forecast)|bussiness\/forecast)$/
    const bare = product.pages.flatMap((page) =>
      sourcesOf(page)
        .filter(
          ({ requestMethod, requestURL }) =>
            requestMethod === 'post' &&
            !/^(local|cloud):/.test(String(requestURL)) &&
            !reading.test(String(requestURL)),
        )
        .filter(
          ({ data, requestURL }) =>
            !JSON.stringify(data ?? []).includes('DSV.clientToken') && !isOpen(requestURL),
        )
        .map(({ uniqueName }) => `${page.path}: ${uniqueName}`),
    )
    expect(bare).toEqual([])
  })
})

/** Calls without a session write nothing that could be repeated. */
function isOpen(url: unknown): boolean {
  return String(url).startsWith('/mini/login/')
}

function addressesOf(written: string): readonly string[] {
  const [place] = Object.keys(KINDS).filter((one) => written.includes(one))
  const [bare = ''] = written.split('?')
  if (place === undefined) return [bare]
  return (KINDS[place] ?? []).map((kind) => written.replace(place, kind).split('?')[0] ?? '')
}
