import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CloudError, createCloud } from '../../../runtime/cloud/index.ts'
import { cloudAt, SYSTEM } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('the life of a call', () => {
  it('runs invoke, success, complete, the response event and the callbacks in this order', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const order: string[] = []
    cloud.addInterceptor('callFunction', {
      invoke: async (args) => {
        await Promise.resolve()
        order.push(`invoke ${String(args.name)}`)
      },
      success: () => order.push('success'),
      fail: () => order.push('fail'),
      complete: () => order.push('complete'),
    })
    cloud.on('response', ({ type }) => order.push(`response ${type}`))

    await cloud.callFunction({
      name: 'hello',
      success: () => order.push('callback success'),
      complete: () => order.push('callback complete'),
    })

    expect(order).toEqual([
      'invoke hello',
      'success',
      'complete',
      'response cloudfunction',
      'callback success',
      'callback complete',
    ])
  })

  it('runs fail and complete for a failure, and callbacks prevent an unhandled rejection', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const order: string[] = []
    cloud.addInterceptor('callFunction', {
      fail: () => order.push('fail'),
      complete: () => order.push('complete'),
    })
    cloud.on('response', ({ content }) => order.push(`response ${content instanceof CloudError}`))

    await new Promise<void>((resolve) => {
      void cloud.callFunction({
        name: 'nobody',
        fail: (error) => order.push(`callback ${String(error.errCode)}`),
        complete: () => resolve(),
      })
    })

    expect(order).toEqual(['fail', 'complete', 'response true', 'callback FUNCTION_NOT_FOUND'])
  })

  it('lets invoke change the arguments, once per function however often it was added', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const invoke = (args: Record<string, unknown>) => {
      args.data = { name: `${String((args.data as { name: string }).name)}!` }
    }
    cloud.addInterceptor('callFunction', { invoke })
    cloud.addInterceptor('callFunction', { invoke })

    const first = await cloud.callFunction({ name: 'hello', data: { name: '海' } })
    cloud.removeInterceptor('callFunction', { invoke })
    const second = await cloud.callFunction({ name: 'hello', data: { name: '海' } })

    expect([first.result, second.result]).toEqual([{ greeting: '你好，海!' }, { greeting: '你好，海' }])
  })

  it('fails the call if invoke fails', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    cloud.addInterceptor('callFunction', {
      invoke: () => {
        throw new Error('不许')
      },
    })

    await expect(cloud.callFunction({ name: 'hello' })).rejects.toMatchObject({
      errCode: 'SYSTEM_ERROR',
      errMsg: '不许',
    })
  })

  it('survives callbacks and listeners that throw', async () => {
    const { cloud, log } = cloudAt(server, SPACES.aliyun)
    const explode = () => {
      throw new Error('砰')
    }
    cloud.on('response', explode)

    const reply = await cloud.callFunction({ name: 'hello', success: explode, complete: explode })

    expect(reply.errCode).toBe(0)
    expect(log.filter((line) => line.includes('砰'))).toHaveLength(3)
  })

  it('adds client information without changing the given data', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    cloud.setCustomClientInfo({ team: '华东', appId: 'fake' })
    const data = { name: '海' }

    const { result } = await cloud.callFunction({ name: 'echo', data })

    const { windowWidth: _, ...sent } = SYSTEM
    expect(data).toEqual({ name: '海' })
    expect(result).toEqual({
      name: '海',
      clientInfo: {
        ...sent,
        team: '华东',
        PLATFORM: 'web',
        OS: 'android',
        APPID: '__UNI__TEST',
        DEVICEID: 'device-1',
        locale: 'zh-Hans',
        LOCALE: 'zh-Hans',
      },
    })
  })

  it('adds the stored login token, under the older key as well, unless the data has one', async () => {
    const { cloud, storage } = cloudAt(server, SPACES.aliyun)
    await storage.set('uniIdToken', 'older')

    const older = await cloud.callFunction({ name: 'echo' })
    await storage.set('uni_id_token', 'newer')
    const newer = await cloud.callFunction({ name: 'echo' })
    const own = await cloud.callFunction({ name: 'echo', data: { uniIdToken: 'own' } })
    await cloud.forgetLogin()
    const none = await cloud.callFunction({ name: 'echo' })

    const tokens = [older, newer, own, none].map(
      (reply) => (reply.result as { uniIdToken?: string }).uniIdToken,
    )
    expect(tokens).toEqual(['older', 'newer', 'own', undefined])
  })
})

describe('settings', () => {
  it.each([
    [{ provider: 'aliyun', spaceId: 's' }, 'clientSecret required'],
    [{ provider: 'alipay', spaceId: 's', spaceAppId: 'a', accessKey: 'k' }, 'secretKey required'],
    [{ ...SPACES.alipay, endpoint: 'http://x' }, 'endpoint must start with https://'],
    [{ provider: 'tencent', spaceId: 'evil.example/' }, 'spaceId may hold letters, digits, _ and - only'],
    [{ provider: 'constructor', spaceId: 's' }, 'unknown provider "constructor"'],
  ])('%j is refused: %s', (space, sentence) => {
    expect(() => cloudAt(server, space as never)).toThrow(sentence)
  })

  it('require at least one space and find the others by name', () => {
    const { cloud, ports } = cloudAt(server, SPACES.aliyun, SPACES.tencent)

    expect(cloud.space('env-1').spaceId).toBe('env-1')
    expect(() => cloud.space('other')).toThrow('no cloud space is called "other"')
    expect(() =>
      createCloud({ spaces: [], ports, client: { system: () => ({}), locale: () => 'en' } }),
    ).toThrow('at least one space')
  })

  it.each([
    [undefined, []],
    [100, []],
    [600_000, []],
    [99, ['warn cloud time-out of 99 ms is out of range, 100 ms are used']],
    [600_001, ['warn cloud time-out of 600001 ms is out of range, 600000 ms are used']],
  ])('limit a timeout of %s ms to the allowed range', (timeoutMs, warnings) => {
    const { log } = cloudAt(server, { ...SPACES.tencent, ...(timeoutMs ? { timeoutMs } : {}) })

    expect(log).toEqual(warnings)
  })

  it('use another address for a space whose name begins with mp-', async () => {
    const { cloud } = cloudAt(server, { ...SPACES.aliyun, spaceId: 'mp-1' })

    await cloud.callFunction({ name: 'hello' })

    expect(new Set(server.seen.map((seen) => seen.host))).toEqual(new Set(['api.next.bspapp.com']))
  })
})

describe('the error object', () => {
  it('prints code, message, subject and at most ten causes', () => {
    let error = new CloudError({ message: 'deep' })
    for (let depth = 0; depth < 30; depth += 1)
      error = new CloudError({ code: 'C', subject: 's', cause: error })

    const printed = JSON.stringify(error)

    expect(error.toJSON()).toMatchObject({ errCode: 'C', errMsg: 'unknown system error', errSubject: 's' })
    expect(printed.split('errCode').length - 1).toBe(10)
  })
})
