import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pingDebugService } from '../../../runtime/cloud/index.ts'
import { cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const debugged = (...addresses: readonly string[]) => ({
  ...SPACES.tencent,
  debug: { addresses: addresses.length > 0 ? addresses : ['127.0.0.1'], port: server.port },
})
const paths = () => server.seen.map((seen) => seen.path)

describe('the ping', () => {
  it('waits 500 ms and no longer', async () => {
    const { ports } = cloudAt(server, SPACES.aliyun)
    server.fail({ kind: 'slow', delayMs: 300 })
    const inTime = await pingDebugService(ports, server.origin)
    server.fail({ kind: 'slow', delayMs: 800 })
    const started = Date.now()

    const late = await pingDebugService(ports, server.origin)

    expect([inTime, late]).toEqual([true, false])
    expect(Date.now() - started).toBeLessThan(750)
  })

  it('accepts no other code', async () => {
    const { ports } = cloudAt(server, SPACES.aliyun)
    server.fail({ kind: 'answer', answer: { data: { code: 1 } } })

    expect(await pingDebugService(ports, server.origin)).toBe(false)
  })
})

describe('a function with a debug service', () => {
  it('runs locally after a successful ping', async () => {
    const { cloud } = cloudAt(server, debugged())

    const reply = await cloud.callFunction({ name: 'hello', data: { name: '海' } })
    await cloud.callFunction({ name: 'hello' })

    expect(reply).toMatchObject({
      errCode: 0,
      result: { local: { provider: 'tcb', platform: 'web', param: { name: '海' } } },
    })
    const check = ['/system/check-function', '/cloudfunctions/hello']
    expect(paths().slice(2)).toEqual(['/system/ping', ...check, ...check])
    expect(server.seen[3]?.body).toEqual({
      name: 'hello',
      platform: 'web',
      provider: 'tcb',
      spaceId: 'env-1',
    })
  })

  it.each([
    ['MODULE_ENCRYPTED', 1],
    ['FUNCTION_ENCRYPTED', 1],
    ['ACTION_ENCRYPTED', 1],
    ['NETWORK_ERROR', 1],
    ['SWITCH_TO_CLOUD', 0],
  ])('runs in the cloud on %s, with %i log lines', async (code, lines) => {
    const { cloud, log } = cloudAt(server, debugged())
    server.debugCodes.set('code', code)

    const reply = await cloud.callFunction({ name: 'hello', data: { name: '海' } })

    expect(reply.result).toEqual({ greeting: '你好，海' })
    expect(log).toHaveLength(lines)
  })

  it('fails on any other code', async () => {
    const { cloud } = cloudAt(server, debugged())
    server.debugCodes.set('code', 'BROKEN')

    await expect(cloud.callFunction({ name: 'hello' })).rejects.toMatchObject({ errCode: 'BROKEN' })
  })

  it('runs in the cloud, with one warning, if no address answers', async () => {
    const { cloud, log } = cloudAt(server, debugged())
    server.fail({ kind: 'drop' }, (seen) => seen.path === '/system/ping', 3)

    await cloud.callFunction({ name: 'hello' })
    const reply = await cloud.callFunction({ name: 'hello' })

    expect(reply.result).toEqual({ greeting: '你好，' })
    expect(log).toEqual(['warn the local debug service does not answer, cloud functions run in the cloud'])
  })
})
