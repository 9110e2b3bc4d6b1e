import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CloudSpace } from '../../../runtime/cloud/index.ts'
import { type Json, valueAt } from '../../../runtime/core/json.ts'
import { createCloudCalls } from '../../../src/app/net/cloud-calls.ts'
import { aFile, cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const APP = {
  appId: 'vform-crm',
  appName: '客户管理',
  appVersion: '1.4.58',
  appVersionCode: '10458',
  deviceId: 'd1',
}
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('files that are chosen together', () => {
  it('each get a unique path, even if another device uploads in the same millisecond', async () => {
    const [here, there] = [callsAt(SPACES.tencent), callsAt(SPACES.tencent)]

    const answers = await Promise.all(
      [here, here, here, there].map(({ calls }) =>
        calls.upload({ url: 'cloud:upload', file: aFile('照片.png') }),
      ),
    )

    const keys = server.seen.filter((one) => one.file).map((one) => valueAt(one.body, 'key') as string)
    expect(new Set(keys).size).toBe(4)
    for (const key of keys) expect(key).toMatch(/^1700000000000_\d_[0-9a-f]{12}\.png$/)
    expect(new Set(answers.map((answer) => answer.ok && urlOf(answer.value.data))).size).toBe(4)
  })
})

describe('a file in a storage whose URLs expire after minutes', () => {
  it.each([SPACES.tencent, SPACES.alipay])('of $provider is stored by its id', async (space) => {
    const { calls } = callsAt(space)

    const answer = await calls.upload({ url: 'cloud:upload', file: aFile('a.png') })

    const stored = answer.ok ? answer.value.data : null
    expect(stored).toMatchObject({ name: 'a.png', url: valueAt(stored, 'fileID') })
    expect(urlOf(stored)).toMatch(/^cloud:\/\/env-1\//)
  })

  it('is resolved to a URL; the files of one screen are requested in one call', async () => {
    const { calls } = callsAt(SPACES.tencent)
    const ids = ['cloud://env-1/a.png', 'cloud://env-1.bucket/b.png', 'cloud://env-1/a.png']

    const found = await Promise.all(ids.map((id) => calls.find(id)))

    expect(found).toEqual([
      'https://cos.example/env-1/a.png?sign=1',
      'https://cos.example/env-1.bucket/b.png?sign=1',
      'https://cos.example/env-1/a.png?sign=1',
    ])
    expect(asked()).toEqual([['cloud://env-1/a.png', 'cloud://env-1.bucket/b.png']])
    expect(calls.known(ids[0] ?? '')).toBe(found[0])
  })

  it('keeps its URL until a minute before it expires, then requests a new one', async () => {
    const { calls, time } = callsAt(SPACES.tencent)
    await calls.find('cloud://env-1/a.png')

    time.now += 539_999
    await calls.find('cloud://env-1/a.png')
    const before = asked().length
    time.now += 1
    const atEnd = calls.known('cloud://env-1/a.png')
    await calls.find('cloud://env-1/a.png')

    expect([before, atEnd, asked().length]).toEqual([1, undefined, 2])
  })

  it('is requested from its own space, fifty files per call', async () => {
    const { calls } = callsAt(SPACES.aliyun, SPACES.alipay)
    const ids = Array.from({ length: 51 }, (_, at) => `cloud://env-1/${at}.png`)

    const found = await Promise.all(ids.map((id) => calls.find(id)))

    expect(found[50]).toBe('https://alipay-oss.example/50.png?expire=600')
    expect(found.every((url) => url !== null)).toBe(true)
    expect(server.seen.filter((one) => one.query.includes('download_url'))).toHaveLength(2)
  })

  it('without a URL counts as missing, and is requested again the next time', async () => {
    const { calls } = callsAt(SPACES.tencent)
    server.fail({ kind: 'drop' }, (one) => action(one.body) === 'storage.batchGetDownloadUrl', 9)

    expect(await calls.find('cloud://env-1/a.png')).toBeNull()
    server.reset()
    expect(await calls.find('cloud://env-1/a.png')).toBe('https://cos.example/env-1/a.png?sign=1')
  })

  it('is requested again for the next user of the device', async () => {
    const { calls } = callsAt(SPACES.tencent)
    await calls.find('cloud://env-1/a.png')

    await calls.forgetLogin()

    expect(calls.known('cloud://env-1/a.png')).toBeUndefined()
  })
})

describe('a method of a cloud object', () => {
  it.each([
    ['', 0, 0, 0],
    ['?ui=modal', 1, 0, 1],
    ['?ui=toast', 0, 1, 1],
  ])(
    'called with "%s" shows %i modals, %i toasts and %i loadings',
    async (query, modals, toasts, loadings) => {
      const { calls, screen } = callsAt(SPACES.aliyun)

      const answer = await calls.call({ url: `cloud:object/todo/refuse${query}`, method: 'POST', body: {} })

      expect(answer).toMatchObject({ ok: false, error: { message: '待办已满', shown: query !== '' } })
      expect([screen.modals, screen.toasts, screen.loadings].map((one) => one.length)).toEqual([
        modals,
        toasts,
        loadings,
      ])
    },
  )

  it('is called again if the user chooses to retry', async () => {
    const { calls, screen } = callsAt(SPACES.aliyun)
    screen.presses.push(true, false)

    await calls.call({ url: 'cloud:object/todo/refuse?ui=modal-retry', method: 'POST', body: {} })

    expect(screen.modals.map((modal) => modal.showCancel)).toEqual([true, true])
  })
})

it('sends the app, its version, its language and the system to a function', async () => {
  const { calls } = callsAt(SPACES.aliyun)
  server.functions.set('facts', (args) => valueAt(args, 'clientInfo') ?? null)

  const answer = await calls.call({ url: 'cloud:function/facts', method: 'POST', body: {} })

  expect(answer.ok && answer.value.data).toMatchObject({
    ...APP,
    APPID: 'vform-crm',
    DEVICEID: 'd1',
    appLanguage: 'zh-Hans',
    osName: 'ios',
    osVersion: '18.1',
  })
})

const action = (body: Json) => valueAt(body, 'action')

function asked(): readonly (readonly Json[])[] {
  return server.seen
    .filter((one) => action(one.body) === 'storage.batchGetDownloadUrl')
    .map((one) => (valueAt(one.body, 'file_list') as Json[]).map((file) => valueAt(file, 'fileid') ?? null))
}

const urlOf = (data: Json) => valueAt(data, 'url')

let devices = 0

/** The calls of a device whose clock is moved by the test. */
function callsAt(...spaces: readonly CloudSpace[]) {
  const { ports, time, screen } = cloudAt(server, ...spaces)
  devices += 1
  const name = String(devices).padStart(12, '0')
  const world = memoryWorld()
  const calls = createCloudCalls({
    ports: { ...ports, random: { uuid: () => `${ports.random.uuid().slice(0, -12)}${name}` } },
    spaces,
    app: APP,
    browser: { userAgent: IPHONE, touchPoints: 5 },
    locale: () => 'zh-Hans',
    loginPage: '/pages/login/login',
    guard: { ...world.ports, currentPage: () => '/' },
  })
  return { calls, time, screen }
}
