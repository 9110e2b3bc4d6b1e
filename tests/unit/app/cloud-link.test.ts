import { describe, expect, it } from 'vitest'
import { createText } from '../../../runtime/browser/catalogue-text.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import texts from '../../../schemas/text/zh-hans.cloud.json'
import { createCloudCalls, readSpaces } from '../../../src/app/net/cloud-calls.ts'
import { type CloudCalls, linkCloud } from '../../../src/app/net/cloud-link.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const APP = { appId: '', appName: '', appVersion: '', appVersionCode: '', deviceId: '' }
const file = { name: 'a', size: 1, type: '', handle: null }

describe('an address', () => {
  it('is loaded by the cloud chunk, once, at the first cloud address; other addresses do not load it', async () => {
    const app = aLink()

    await app.link.http.send({ url: '/mini/x', method: 'GET' })
    await app.link.http.send({ url: 'https://cloud.example/cloud:function/x', method: 'GET' })
    expect(app.loads()).toBe(0)
    await app.link.http.send({ url: 'cloud:function/hello', method: 'POST' })
    await app.link.http.upload({ url: 'cloud:upload', file })

    expect(app.loads()).toBe(1)
    expect(app.calls).toEqual(['call cloud:function/hello', 'upload cloud:upload'])
    expect(app.plain).toEqual(['/mini/x', 'https://cloud.example/cloud:function/x'])
  })

  it('fails as a lost connection if the chunk cannot be loaded, and the next call loads it again', async () => {
    const app = aLink(1)

    expect(await app.link.http.send({ url: 'cloud:db/x', method: 'POST' })).toMatchObject({
      ok: false,
      error: { code: 'NETWORK' },
    })
    expect(await app.link.http.send({ url: 'cloud:db/x', method: 'POST' })).toMatchObject({ ok: true })
  })
})

it('deletes the cloud’s token when the user changes, if there is one', async () => {
  const app = aLink()

  app.link.forgetLogin()
  await app.link.http.send({ url: 'cloud:db/x', method: 'POST' })
  app.link.forgetLogin()
  await new Promise((resolve) => setTimeout(resolve, 0))

  expect(app.calls).toEqual(['call cloud:db/x', 'forget'])
})

describe('without a configured cloud', () => {
  it.each(['cloud:function/hello', 'cloud:upload'])('refuses %s with a message', async (url) => {
    const world = memoryWorld()
    const calls = createCloudCalls({
      spaces: readSpaces({ ok: true, value: { status: 200, headers: {}, data: { data: { features: {} } } } }),
      ports: { ...world.ports, text: createText(texts), log: () => {} },
      app: APP,
      browser: { userAgent: '', touchPoints: 0 },
      locale: () => 'zh-Hans',
      loginPage: '/pages/login/login',
      guard: { ...world.ports, currentPage: () => '/' },
    })

    const outcome =
      url === 'cloud:upload'
        ? await calls.upload({ url, file })
        : await calls.call({ url, method: 'POST', body: {} })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'REFUSED', message: '还没有配置云服务' } })
    expect(world.requests).toEqual([])
  })
})

function aLink(failures = 0) {
  const calls: string[] = []
  const plain: string[] = []
  let loads = 0
  const done = async () => ({ ok: true as const, value: { status: 200, headers: {}, data: null } })
  const http: Http = {
    send: ({ url }) => {
      plain.push(url)
      return done()
    },
    upload: ({ url }) => {
      plain.push(url)
      return done()
    },
  }
  const cloud: CloudCalls = {
    call: ({ url }) => {
      calls.push(`call ${url}`)
      return done()
    },
    upload: ({ url }) => {
      calls.push(`upload ${url}`)
      return done()
    },
    known: () => undefined,
    find: async () => null,
    forgetLogin: async () => void calls.push('forget'),
  }
  const link = linkCloud(http, async () => {
    loads += 1
    if (loads <= failures) throw new Error('no network')
    return cloud
  })
  return { link, calls, plain, loads: () => loads }
}
