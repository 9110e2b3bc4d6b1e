import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('the access token of provider 1', () => {
  const authorisations = () => server.aliyun.issued

  it('is requested once for concurrent calls', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    await Promise.all(Array.from({ length: 20 }, () => cloud.callFunction({ name: 'hello' })))

    expect(authorisations()).toBe(1)
    expect(server.seen).toHaveLength(21)
  })

  it('is renewed once if concurrent calls find it expired, and each call is repeated once', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    await cloud.callFunction({ name: 'hello' })
    server.expireTokens()
    const before = server.seen.length

    const replies = await Promise.all(Array.from({ length: 20 }, () => cloud.callFunction({ name: 'hello' })))

    expect(replies).toHaveLength(20)
    expect(authorisations()).toBe(2)
    expect(server.seen.length - before).toBe(20 + 1 + 20)
  })

  it('is not renewed again by a slow call after another call has renewed it', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    await cloud.callFunction({ name: 'hello' })
    server.expireTokens()
    server.fail({ kind: 'slow', delayMs: 150 }, (seen) => JSON.stringify(seen.body).includes('tortoise'))
    server.functions.set('tortoise', () => 'there')

    const slow = cloud.callFunction({ name: 'tortoise' })
    await cloud.callFunction({ name: 'hello' })
    await slow

    expect(authorisations()).toBe(2)
  })

  it('is requested again after a failed authorisation', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    server.fail({ kind: 'drop' })

    await expect(cloud.callFunction({ name: 'hello' })).rejects.toMatchObject({ errCode: 'SYS_ERR' })
    await expect(cloud.callFunction({ name: 'hello' })).resolves.toMatchObject({ errCode: 0 })
  })
})

describe('the access token of provider 2', () => {
  const signIns = () => server.seen.filter((seen) => seen.path === '/auth/v1/signin/anonymously').length

  it('is stored on the device and used after the next start', async () => {
    const first = cloudAt(server, SPACES.tencent)
    await first.cloud.callFunction({ name: 'hello' })
    const next = cloudAt(server, SPACES.tencent)
    for (const [key, value] of first.storage.values) await next.storage.set(key, value)

    await next.cloud.callFunction({ name: 'hello' })

    expect(signIns()).toBe(1)
    expect(await first.storage.get('access_token_env-1')).toEqual({
      version: 'localCachev1',
      content: 'token-1',
    })
  })

  it('is requested again once it has expired', async () => {
    const { cloud, time } = cloudAt(server, SPACES.tencent)
    await cloud.callFunction({ name: 'hello' })

    time.now += 7_200_000
    await cloud.callFunction({ name: 'hello' })
    const atTheEnd = signIns()
    time.now += 1
    await cloud.callFunction({ name: 'hello' })

    expect([atTheEnd, signIns()]).toEqual([1, 2])
  })

  it.each([20, 1])('is renewed once if %i concurrent calls are refused', async (calls) => {
    const { cloud } = cloudAt(server, SPACES.tencent)
    await cloud.callFunction({ name: 'hello' })
    server.expireTokens()

    await Promise.all(Array.from({ length: calls }, () => cloud.callFunction({ name: 'hello' })))

    expect(signIns()).toBe(2)
  })

  it('is not renewed again by a slow call after another call has renewed it', async () => {
    const { cloud } = cloudAt(server, SPACES.tencent)
    await cloud.callFunction({ name: 'hello' })
    server.expireTokens()
    server.fail({ kind: 'slow', delayMs: 150 }, (seen) => JSON.stringify(seen.body).includes('tortoise'))
    server.functions.set('tortoise', () => 'there')

    const slow = cloud.callFunction({ name: 'tortoise' })
    await cloud.callFunction({ name: 'hello' })
    await slow

    expect(signIns()).toBe(2)
  })

  it('sends the trace of the last answer with the next call', async () => {
    const { cloud } = cloudAt(server, SPACES.tencent)
    await cloud.callFunction({ name: 'hello' })

    await cloud.callFunction({ name: 'hello' })

    expect(server.seen.at(-1)?.headers['x-tcb-trace']).toBe('trace-1')
  })
})

describe('the login of provider 2', () => {
  it('changes from anonymous to custom to none, and fires its events', async () => {
    const { cloud, storage } = cloudAt(server, SPACES.tencent)
    const told: string[] = []
    cloud.auth?.on('loginTypeChanged', ({ loginType }) => told.push(loginType))
    cloud.auth?.on('anonymousConverted', ({ env }) => told.push(`converted ${env}`))
    cloud.auth?.on('refreshAccessToken', () => told.push('refreshed'))

    await cloud.callFunction({ name: 'hello' })
    await cloud.auth?.signInWithTicket('ticket')
    await cloud.auth?.signOut()

    expect(told).toEqual(['ANONYMOUS', 'refreshed', 'CUSTOM', 'NULL'])
    expect(await storage.get('refresh_token_env-1')).toBeUndefined()
  })

  it('signs in anonymously again before the call if an anonymous refresh token is refused', async () => {
    const { cloud, storage } = cloudAt(server, SPACES.tencent)
    await storage.set('refresh_token_env-1', { version: 'localCachev1', content: 'old' })
    await storage.set('login_type_env-1', { version: 'localCachev1', content: 'ANONYMOUS' })
    await storage.set('access_token_env-1', { version: 'localCachev1', content: 'gone' })
    await storage.set('access_token_expire_env-1', { version: 'localCachev1', content: 9e15 })
    server.tencent.refreshCodes.push('INVALID_REFRESH_TOKEN')

    const reply = await cloud.callFunction({ name: 'hello' })

    expect(reply.errCode).toBe(0)
    const actions = server.seen.map((seen) => JSON.parse(seen.raw.toString()).action)
    expect(actions).toEqual([
      'functions.invokeFunction',
      'auth.fetchAccessTokenWithRefreshToken',
      'auth.signInAnonymously',
      'auth.fetchAccessTokenWithRefreshToken',
      'functions.invokeFunction',
    ])
  })

  it('gives up on a server that refuses every refresh token', async () => {
    const { cloud, storage } = cloudAt(server, SPACES.tencent)
    await storage.set('refresh_token_env-1', { version: 'localCachev1', content: 'old' })
    await storage.set('login_type_env-1', { version: 'localCachev1', content: 'ANONYMOUS' })
    await storage.set('access_token_env-1', { version: 'localCachev1', content: 'gone' })
    await storage.set('access_token_expire_env-1', { version: 'localCachev1', content: 9e15 })
    server.tencent.refreshCodes.push(...Array.from({ length: 50 }, () => 'INVALID_REFRESH_TOKEN'))

    await expect(cloud.callFunction({ name: 'hello' })).rejects.toMatchObject({
      errCode: 'INVALID_REFRESH_TOKEN',
    })
    expect(server.seen.length).toBeLessThan(12)
  })
})
