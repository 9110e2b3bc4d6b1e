import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLOUD_CODES, type CloudError, type CloudSpace } from '../../../runtime/cloud/index.ts'
import type { Fault } from '../../support/cloud-server/answer.ts'
import { aFile, type CloudScene, cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import type { Seen } from '../../support/cloud-server/seen.ts'

const provoked = new Set<string>()
let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const { aliyun, tencent, alipay, dcloud } = SPACES

/** Only calls of functions; the preceding sign-in succeeds. */
const isInvoke = (seen: Seen) =>
  seen.path === '/functions/invokeFunction' ||
  JSON.stringify(seen.body).includes('function.runtime.invoke') ||
  JSON.stringify(seen.body).includes('functions.invokeFunction')
const isUpload = (seen: Seen) => seen.file !== undefined

const refusal: Fault = {
  kind: 'answer',
  answer: {
    status: 502,
    data: { header: { 'x-serverless-request-id': 'r-9' }, error: { code: 'BUSY', message: '忙' } },
  },
}
const inBody: Fault = { kind: 'answer', answer: { data: { error: { code: 'BUSY', message: '忙' } } } }
const empty500: Fault = { kind: 'answer', answer: { status: 500, data: null } }
const staleToken = (code: string): Fault => ({
  kind: 'answer',
  answer: { status: 401, data: { error: { code, message: '凭证无效' } } },
})
const staleWeb = (code: string): Fault => ({
  kind: 'answer',
  answer: { data: { code, message: '凭证已过期' } },
})

describe('a failed call of a cloud object', () => {
  it.each<[string, CloudSpace, Fault, string, string]>([
    ['slow, provider 1', aliyun, { kind: 'slow', delayMs: 900 }, 'SYS_ERR', 'request:fail timeout'],
    ['dropped, provider 1', aliyun, { kind: 'drop' }, 'SYS_ERR', 'request:fail'],
    ['cut in the middle, provider 1', aliyun, { kind: 'cut' }, 'SYS_ERR', 'request:fail'],
    ['broken JSON, provider 1', aliyun, { kind: 'broken' }, 'SYS_ERR', 'request:fail'],
    [
      'a page instead of JSON, provider 1',
      aliyun,
      { kind: 'text', text: '<html>' },
      'SYS_ERR',
      'request:fail',
    ],
    ['status 500 without words, provider 1', aliyun, empty500, 'SYS_ERR', 'request:fail'],
    ['a refusal with words, provider 1', aliyun, refusal, 'BUSY', '忙'],
    ['status 200 with an error, provider 1', aliyun, inBody, 'BUSY', '忙'],
    ['slow, provider 2', tencent, { kind: 'slow', delayMs: 900 }, 'NETWORK_ERROR', 'network request error'],
    ['cut in the middle, provider 2', tencent, { kind: 'cut' }, 'NETWORK_ERROR', 'network request error'],
    [
      'a page instead of JSON, provider 2',
      tencent,
      { kind: 'text', text: '<html>' },
      'NETWORK_ERROR',
      'network request error',
    ],
    ['status 500, provider 2', tencent, empty500, 'NETWORK_ERROR', 'network request error'],
    ['a code in the answer, provider 2', tencent, staleWeb('LIMIT'), 'LIMIT', '凭证已过期'],
    ['slow, provider 3', alipay, { kind: 'slow', delayMs: 900 }, 'SYS_ERR', 'request:fail timeout'],
    ['cut in the middle, provider 3', alipay, { kind: 'cut' }, 'SYS_ERR', 'request:fail'],
    ['status 500, provider 3', alipay, empty500, 'SYS_ERR', 'request:fail'],
    ['slow, private', dcloud, { kind: 'slow', delayMs: 900 }, 'SYS_ERR', 'request:fail timeout'],
    ['a refusal with words, private', dcloud, refusal, 'BUSY', '忙'],
  ])('has its code and is shown in a modal: %s', async (_, space, fault, code, words) => {
    const scene = cloudAt(server, { ...space, timeoutMs: 400 })
    server.fail(fault, isInvoke)

    const error = await rejection(scene.cloud.importObject('todo').add?.('打电话'))

    const text = `[todo]: ${words}`
    expect(error).toMatchObject({ errCode: code, errMsg: text, code, message: text })
    expect(scene.screen.modals).toEqual([modal(text)])
    expect(scene.screen.loadings).toEqual(['加载中...'])
    expect(scene.screen.open).toBe(0)
  })

  it('carries the request id and, as detail, the whole result', async () => {
    const scene = cloudAt(server, aliyun)
    server.fail(refusal, isInvoke)

    const error = await rejection(scene.cloud.importObject('todo').add?.())

    expect(error).toMatchObject({ requestId: 'r-9', detail: { errCode: 'BUSY', errMsg: '[todo]: 忙' } })
  })

  it('names the missing function and what to check', async () => {
    const scene = cloudAt(server, aliyun)

    await rejection(scene.cloud.importObject('nobody').add?.())

    const hint = '，云函数[nobody]在云端不存在，请检查此云函数名称是否正确以及该云函数是否已上传到服务空间'
    expect(scene.screen.modals).toEqual([modal(`[nobody]: fc_function_not_found${hint}`)])
  })

  it('follows no redirect, so that neither token nor signature reaches another host', async () => {
    const elsewhere = await startCloudServer()
    const scene = cloudAt(server, aliyun)
    server.fail({ kind: 'redirect', status: 307, to: `${elsewhere.origin}/client` }, isInvoke)

    const error = await rejection(scene.cloud.callFunction({ name: 'hello' }))

    expect(error).toMatchObject({
      errCode: 'SYS_ERR',
      errMsg: 'request:fail',
      message: '[hello]: request:fail',
    })
    expect(elsewhere.seen).toEqual([])
    await elsewhere.close()
  })

  it('reads a huge answer to its end', async () => {
    const scene = cloudAt(server, aliyun)
    server.fail({ kind: 'huge', bytes: 8_000_000 }, isInvoke)

    const reply = await scene.cloud.callFunction({ name: 'hello' })

    expect(String(reply.filler)).toHaveLength(8_000_000)
  })
})

describe('refused tokens', () => {
  it.each<[string, CloudSpace, Fault, string]>([
    ['GATEWAY_INVALID_TOKEN', aliyun, staleToken('GATEWAY_INVALID_TOKEN'), '凭证无效'],
    ['InvalidParameter.InvalidToken', aliyun, staleToken('InvalidParameter.InvalidToken'), '凭证无效'],
    ['ACCESS_TOKEN_DISABLED', tencent, staleWeb('ACCESS_TOKEN_DISABLED'), '凭证已过期'],
    ['ACCESS_TOKEN_EXPIRED', tencent, staleWeb('ACCESS_TOKEN_EXPIRED'), '凭证已过期'],
  ])('are renewed and the call is retried once: %s', async (code, space, fault, words) => {
    const scene = cloudAt(server, space)

    server.fail(fault, isInvoke)
    const reply = await scene.cloud.callFunction({ name: 'hello', data: { name: '海' } })
    const sentForOne = server.seen.filter(isInvoke).length
    server.fail(fault, isInvoke, 9)
    const error = await rejection(scene.cloud.callFunction({ name: 'hello' }))

    expect(reply.result).toEqual({ greeting: '你好，海' })
    expect(sentForOne).toBe(2)
    expect(server.seen.filter(isInvoke)).toHaveLength(4)
    expect(error).toMatchObject({ errCode: code, errMsg: words, message: `[hello]: ${words}` })
  })

  it('fail with AUTH_FAILED if the authorisation returns no token', async () => {
    const scene = cloudAt(server, aliyun)
    server.fail({ kind: 'answer', answer: { data: { data: {} } } })

    const error = await rejection(scene.cloud.callFunction({ name: 'hello' }))

    expect(error).toMatchObject({ errCode: 'AUTH_FAILED', errMsg: '获取accessToken失败' })
    await expect(scene.cloud.callFunction({ name: 'hello' })).resolves.toMatchObject({ errCode: 0 })
  })

  it.each(['SIGN_PARAM_INVALID', 'REFRESH_TOKEN_EXPIRED', 'INVALID_REFRESH_TOKEN'])(
    'end the login state: %s',
    async (code) => {
      const scene = cloudAt(server, tencent)
      await scene.cloud.auth?.signInWithTicket('ticket')
      const ended: string[] = []
      scene.cloud.auth?.on('loginStateExpire', () => ended.push('ended'))
      server.expireTokens()
      server.tencent.refreshCodes.push(code)

      const error = await rejection(scene.cloud.callFunction({ name: 'hello' }))

      expect(error).toMatchObject({ errCode: code, message: `[hello]: 刷新access token失败：${code}` })
      expect(ended).toEqual(['ended'])
      expect(await scene.storage.get('refresh_token_env-1')).toBeUndefined()
    },
  )
})

describe('files', () => {
  const put =
    (cloudPath: unknown, more = {}) =>
    (scene: CloudScene) =>
      scene.cloud.uploadFile({ file: aFile('a.txt'), cloudPath: cloudPath as string, ...more })
  const urls = (fileList: unknown) => (scene: CloudScene) =>
    scene.cloud.getTempFileURL({ fileList: fileList as string[] })
  const many = Array.from({ length: 51 }, (_, at) => `cloud://env-1/${at}`)

  it.each<[string, CloudSpace, (scene: CloudScene) => Promise<unknown>, string, string]>([
    ['a path that is no text', aliyun, put(7), 'INVALID_PARAM', 'cloudPath必须为字符串类型'],
    ['an empty path', tencent, put('  '), 'INVALID_PARAM', 'cloudPath不可为空'],
    ['a path with a protocol', alipay, put('http://x'), 'INVALID_PARAM', 'cloudPath不合法'],
    ['an empty path, private', dcloud, put(''), 'INVALID_PARAM', 'cloudPath不可为空'],
    [
      'a backslash in a real path',
      aliyun,
      put('a\\b', { cloudPathAsRealPath: true }),
      'INVALID_PARAM',
      '使用cloudPath作为路径时，cloudPath不可包含“\\”',
    ],
    ['no list', aliyun, urls(undefined), 'INVALID_PARAM', 'fileList的元素必须是非空的字符串'],
    ['a list with a number', aliyun, urls([1]), 'INVALID_PARAM', 'fileList的元素必须是非空的字符串'],
    ['an empty list, provider 2', tencent, urls([]), 'INVALID_PARAM', 'fileList必须是非空的数组'],
    ['an empty list, provider 3', alipay, urls([]), 'INVALID_PARAM', 'fileList不能为空数组'],
    ['a long list, provider 3', alipay, urls(many), 'INVALID_PARAM', 'fileList数组长度不能超过50'],
    ['an empty text, provider 3', alipay, urls(['']), 'INVALID_PARAM', 'fileList的元素必须是非空的字符串'],
    ['an empty list, private', dcloud, urls([]), 'INVALID_PARAM', 'fileList的元素必须是非空的字符串'],
    [
      'a nameless function, provider 2',
      tencent,
      ({ cloud }) => cloud.callFunction({ name: '' }),
      'PARAM_ERROR',
      '函数名不能为空',
    ],
    [
      'a deletion where there is none',
      aliyun,
      ({ cloud }) => cloud.deleteFile({ fileList: ['a'] }),
      'INVALID_OPERATION',
      '该云服务不支持 deleteFile',
    ],
    [
      'signing out anonymously',
      tencent,
      async ({ cloud }) => {
        await cloud.callFunction({ name: 'hello' })
        await cloud.auth?.signOut()
      },
      'INVALID_OPERATION',
      '匿名用户不支持登出操作',
    ],
  ])('%s is refused before anything is sent', async (_, space, act, code, text) => {
    const error = await rejection(act(cloudAt(server, space)))

    expect(error).toMatchObject({ errCode: code, errMsg: text })
    expect(
      server.seen.filter((seen) => isUpload(seen) || JSON.stringify(seen.body).includes('fileList')),
    ).toEqual([])
  })

  it.each<[string, CloudSpace, Fault, (seen: Seen) => boolean, string, string]>([
    ['refused by the storage, provider 1', aliyun, empty500, isUpload, 'UPLOAD_FAILED', '文件上传失败'],
    ['dropped, provider 1', aliyun, { kind: 'drop' }, isUpload, 'UPLOAD_FAILED', '文件上传失败'],
    ['refused by the storage, provider 3', alipay, empty500, isUpload, 'UPLOAD_FAILED', '文件上传失败'],
    ['refused by the storage, private', dcloud, empty500, isUpload, 'UPLOAD_FAILED', '文件上传失败'],
    [
      'not confirmed by the report, provider 1',
      aliyun,
      { kind: 'answer', answer: { data: { success: false } } },
      (seen) => JSON.stringify(seen.body).includes('resource.report'),
      'UPLOAD_FAILED',
      '文件上传失败',
    ],
    [
      'answered with 200 instead of 201, provider 2',
      tencent,
      { kind: 'answer', answer: { status: 403, data: '<Error/>' } },
      isUpload,
      'STORAGE_REQUEST_FAIL',
      'STORAGE_REQUEST_FAIL: <Error/>',
    ],
  ])('an upload %s fails', async (_, space, fault, when, code, text) => {
    const { cloud } = cloudAt(server, space)
    server.fail(fault, when)

    const error = await rejection(cloud.uploadFile({ file: aFile('a.txt'), cloudPath: 'a.txt' }))

    expect(error).toMatchObject({ errCode: code, errMsg: text })
  })

  const no: Fault = { kind: 'answer', answer: { data: { success: false } } }
  it('fail with DELETE_FILE_FAILED and GET_TEMP_FILE_URL_FAILED if they are private', async () => {
    const { cloud } = cloudAt(server, dcloud)
    server.fail(no, undefined, 2)

    const deletion = await rejection(cloud.deleteFile({ fileList: ['a'] }))
    const address = await rejection(cloud.getTempFileURL({ fileList: ['a'] }))

    expect(deletion).toMatchObject({ errCode: 'DELETE_FILE_FAILED', errMsg: '删除文件失败' })
    expect(address).toMatchObject({ errCode: 'GET_TEMP_FILE_URL_FAILED', errMsg: '获取临时文件链接失败' })
  })
})

describe('the other codes', () => {
  it('SYSTEM_ERROR if there is no code', async () => {
    const { cloud } = cloudAt(server, tencent)
    server.fail({ kind: 'answer', answer: { data: { data: { response_data: '{' } } } }, isInvoke)

    const error = await rejection(cloud.callFunction({ name: 'hello' }))

    expect(error).toMatchObject({ errCode: 'SYSTEM_ERROR', errMsg: 'response data must be json' })
  })

  it('20000 for a secure call, and 20101 for a client that the space does not list', async () => {
    const accessControl = { 'hello,bye': [{ appId: 'other', platform: 'web' }] }
    const { cloud } = cloudAt(server, { ...aliyun, accessControl })

    const secure = await rejection(cloud.callFunction({ name: 'echo', secretType: 'both' }))
    const unknown = await rejection(cloud.callFunction({ name: 'hello' }))

    expect(secure).toMatchObject({ errCode: 20000, errSubject: 'uni-secure-network' })
    expect(unknown).toMatchObject({
      errCode: 20101,
      errMsg: 'Invalid client',
      errSubject: 'uni-secure-network',
    })
    await expect(cloud.callFunction({ name: 'echo' })).resolves.toMatchObject({ errCode: 0 })
  })

  it('INVALID_OPERATION if a user with another login would need an anonymous token', async () => {
    const { cloud, storage } = cloudAt(server, tencent)
    await storage.set('login_type_env-1', { version: 'localCachev1', content: 'CUSTOM' })

    const error = await rejection(cloud.callFunction({ name: 'hello' }))

    expect(error).toMatchObject({ errCode: 'INVALID_OPERATION', errMsg: '非匿名登录不支持刷新 access token' })
  })

  it('each have a test', () => {
    expect(Object.keys(CLOUD_CODES).filter((code) => !provoked.has(code))).toEqual([])
  })
})

function modal(content: string) {
  return { title: '提示', content, showCancel: false, cancelText: '取消', confirmText: '确定' }
}

async function rejection(work: Promise<unknown> | undefined): Promise<CloudError> {
  const error = await (work ?? Promise.resolve()).then(
    (value) => ({ notRejected: value }),
    (thrown: unknown) => thrown,
  )
  const { errCode } = error as CloudError
  provoked.add(String(errCode))
  return error as CloudError
}
