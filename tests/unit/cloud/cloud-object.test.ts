import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('a cloud object', () => {
  it('calls a method by name and shows the loading indicator meanwhile', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)
    const during: number[] = []
    server.functions.set('slowly', () => {
      during.push(screen.open)
      return 'done'
    })

    const sum = await cloud.importObject('todo').sum?.(2, 3)
    await cloud.importObject('slowly', { loadingOptions: { title: '请稍候' } }).run?.()

    expect(sum).toBe(5)
    expect(during).toEqual([1])
    expect(screen.loadings).toEqual(['加载中...', '请稍候'])
    expect(screen.open).toBe(0)
  })

  it('shows nothing with customUI, but rejects', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)

    const call = cloud.importObject('todo', { customUI: true }).refuse?.()

    await expect(call).rejects.toMatchObject({
      errCode: 'todo-full',
      errSubject: 'todo',
      detail: { errMsg: '待办已满' },
    })
    expect([screen.loadings, screen.modals, screen.toasts]).toEqual([[], [], []])
  })

  it('shows the error as a toast without icon on request', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)

    await expect(cloud.importObject('todo', { errorOptions: { type: 'toast' } }).refuse?.()).rejects.toThrow(
      '待办已满',
    )

    expect(screen.toasts).toEqual([{ text: '待办已满', icon: 'none' }])
    expect(screen.modals).toEqual([])
  })

  it('repeats the call as long as the user presses retry, and returns the last result', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)
    let runs = 0
    server.functions.set('third', () => {
      runs += 1
      return runs < 3 ? { errCode: 'busy', errMsg: '稍后' } : { runs }
    })
    screen.presses.push(true, true)

    const result = await cloud.importObject('third', { errorOptions: { retry: true } }).run?.()

    expect(result).toEqual({ runs: 3 })
    expect(screen.modals).toHaveLength(2)
    expect(screen.modals[0]).toMatchObject({
      title: '提示',
      showCancel: true,
      cancelText: '取消',
      confirmText: '重试',
    })
  })

  it('rejects if the user declines a retry', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)
    screen.presses.push(false)

    await expect(cloud.importObject('todo', { errorOptions: { retry: true } }).refuse?.()).rejects.toThrow(
      '待办已满',
    )

    expect(server.seen).toHaveLength(2)
  })

  it('calls parseSystemError only for transport failures', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)
    const asked: unknown[] = []
    const object = cloud.importObject('todo', {
      parseSystemError(error) {
        asked.push(error.errCode)
        return { errMsg: '网络不给力' }
      },
    })

    await expect(object.refuse?.()).rejects.toThrow('待办已满')
    server.fail({ kind: 'drop' })
    await expect(object.add?.('x')).rejects.toMatchObject({ errMsg: '[todo]: request:fail' })

    expect(asked).toEqual(['SYS_ERR'])
    expect(screen.modals.map((modal) => modal.content)).toEqual(['待办已满', '网络不给力'])
  })

  it('stores a new login token and reports it', async () => {
    const { cloud, storage } = cloudAt(server, SPACES.aliyun)
    const told: unknown[] = []
    cloud.on('refreshToken', (token) => told.push(token))

    await cloud.importObject('todo').login?.()

    expect(told).toEqual([{ token: 'a.b.c', tokenExpired: 1_900_000_000_000 }])
    expect(await storage.get('uni_id_token')).toBe('a.b.c')
    expect(await storage.get('uni_id_token_expired')).toBe(1_900_000_000_000)
  })

  it.each([
    { token: 'x' },
    { tokenExpired: 5 },
    { token: '', tokenExpired: 5 },
    { token: 7, tokenExpired: 5 },
  ])('does not store the incomplete token %j', async (newToken) => {
    const { cloud, storage } = cloudAt(server, SPACES.aliyun)
    const told: unknown[] = []
    cloud.on('refreshToken', (token) => told.push(token))
    server.functions.set('half', () => ({ newToken }))

    await cloud.importObject('half').run?.()

    expect(told).toEqual([])
    expect(storage.values.has('uni_id_token')).toBe(false)
  })

  it('refuses an unknown kind of error display', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const type = 'banner' as 'modal'

    await expect(cloud.importObject('todo', { errorOptions: { type } }).refuse?.()).rejects.toThrow(
      'Invalid errorOptions.type: banner',
    )
  })

  it('can be awaited and printed without sending a call', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    const object = await Promise.resolve(cloud.importObject('todo'))

    expect(String(object)).toBe('[object UniCloudObject]')
    expect(JSON.stringify(object)).toBe('{}')
    expect(server.seen).toEqual([])
  })
})
