import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChosenFile, type CloudSpace, cloudPathOf, createCloud } from '../../../runtime/cloud/index.ts'
import { ownValue } from '../../../runtime/core/json.ts'
import { aFile, cloudAt, NOW } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const uploads = () => server.seen.filter((seen) => seen.file)

describe('an upload', () => {
  it.each<[CloudSpace, string]>([
    [SPACES.aliyun, 'https://cdn.example/dir/a.txt'],
    [SPACES.tencent, 'cloud://env-1/ a.txt '],
    [SPACES.alipay, 'cloud://env-1/a.txt'],
    [SPACES.dcloud, 'https://files.example/ a.txt '],
  ])('of $provider sends the file and returns its id', async (space, fileID) => {
    const { cloud } = cloudAt(server, space)
    const progress: number[] = []

    const reply = await cloud.uploadFile({
      file: aFile('本地.txt', 'x'.repeat(200)),
      cloudPath: ' a.txt ',
      onUploadProgress: ({ loaded, total }) => progress.push(loaded / total),
    })

    expect(reply.fileID).toBe(fileID)
    expect(uploads().map((seen) => seen.file?.text.length)).toEqual([200])
    expect(progress).toEqual([0.5, 1])
  })

  it.each([200, 201])('of provider 2 succeeds on storage status %i', async (status) => {
    const { cloud } = cloudAt(server, SPACES.tencent)
    server.fail({ kind: 'answer', answer: { status, data: null } }, (seen) => seen.file !== undefined)

    const reply = await cloud.uploadFile({ file: aFile('a.txt'), cloudPath: 'a.txt' })

    expect(reply).toMatchObject({ fileID: 'cloud://env-1/a.txt' })
  })

  it.each([202, 204, 403])('of provider 2 fails on storage status %i', async (status) => {
    const { cloud } = cloudAt(server, SPACES.tencent)
    server.fail({ kind: 'answer', answer: { status, data: null } }, (seen) => seen.file !== undefined)

    const upload = cloud.uploadFile({ file: aFile('a.txt'), cloudPath: 'a.txt' })

    await expect(upload).rejects.toMatchObject({ errCode: 'STORAGE_REQUEST_FAIL' })
  })

  it('is reported once by provider 1, and not at all if the storage reports it itself', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    await cloud.uploadFile({ file: aFile('a.txt'), cloudPath: 'a.txt' })
    server.aliyun.callbackUrl = 'https://callback.example'
    await cloud.uploadFile({ file: aFile('b.txt'), cloudPath: 'b.txt' })

    expect([...server.aliyun.reported]).toEqual(['file-1'])
    const callback = String(ownValue(uploads()[1]?.body, 'callback'))
    expect(JSON.parse(Buffer.from(callback, 'base64').toString())).toEqual({
      callbackUrl: 'https://callback.example',
      callbackBody: '{"fileId":"file-2","spaceId":"space-1"}',
      callbackBodyType: 'application/json',
    })
  })
})

describe('a storage on another host', () => {
  it.each(Object.values(SPACES))(
    'of $provider gets no access token, login token or signature key',
    async (space) => {
      const { cloud, storage } = cloudAt(server, space)
      await storage.set('uni_id_token', 'login.token.x')

      await cloud.uploadFile({ file: aFile('a.txt'), cloudPath: 'a.txt' })

      const told = JSON.stringify(uploads().map(({ headers, body, query }) => ({ headers, body, query })))
      for (const secret of ['token-1', 'login.token.x', 'secret-1', 'sk-1'])
        expect(told).not.toContain(secret)
      expect(uploads()[0]?.headers).not.toHaveProperty('authorization')
      expect(uploads()[0]?.headers).not.toHaveProperty('x-basement-token')
    },
  )
})

describe('temporary addresses', () => {
  it('fall back to the id if provider 1 does not know it', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    const { fileList } = await cloud.getTempFileURL({ fileList: ['https://cdn.example/a.txt?x=1', 'plain'] })

    expect(fileList).toEqual([
      { fileID: 'https://cdn.example/a.txt?x=1', tempFileURL: 'https://cdn.example/a.txt?auth_key=1' },
      { fileID: 'plain', tempFileURL: 'plain' },
    ])
  })

  it('of provider 2 accept a lifetime', async () => {
    const { cloud } = cloudAt(server, SPACES.tencent)

    const { fileList } = await cloud.getTempFileURL({
      fileList: ['cloud://a', { fileID: 'cloud://b', maxAge: 60 }],
    })

    expect(server.seen.at(-1)?.body).toMatchObject({
      file_list: [{ fileid: 'cloud://a' }, { fileid: 'cloud://b', max_age: 60 }],
    })
    expect(fileList[1]).toMatchObject({ fileID: 'cloud://b', tempFileURL: 'https://cos.example/b?sign=1' })
  })

  it('of provider 3 last 600 seconds, are requested fifty per call, and ids in other formats are sent with a warning', async () => {
    const { cloud, log } = cloudAt(server, SPACES.alipay)
    const fifty = Array.from({ length: 48 }, (_, at) => `cloud://env-1/${at}.txt`)

    const { fileList } = await cloud.getTempFileURL({ fileList: [...fifty, 'cloud://other/a.txt', 'odd'] })

    expect(fileList).toHaveLength(50)
    expect(fileList[0]).toEqual({
      fileID: 'cloud://env-1/0.txt',
      tempFileURL: 'https://alipay-oss.example/0.txt?expire=600',
    })
    expect(log).toEqual([
      'warn file cloud://other/a.txt does not belong to env-1',
      'warn INVALID_PARAM fileID不合法: odd',
    ])
  })
})

describe('choosing and uploading', () => {
  const choose = (...names: readonly string[]) => {
    return async (): Promise<readonly ChosenFile[]> =>
      names.map((name) => ({ file: aFile(name), path: `blob:${name}` }))
  }

  it('uploads all files, and one failure does not fail the others', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const names = Array.from({ length: 12 }, (_, at) => `图${at}.png`)
    server.fail({ kind: 'drop' }, (seen) => seen.file !== undefined)

    const answer = await cloud.chooseAndUploadFile({
      type: 'image',
      choose: choose(...names),
    })

    expect(answer.errMsg).toBe('chooseAndUploadFile:ok')
    expect(answer.tempFilePaths).toEqual(names.map((name) => `blob:${name}`))
    expect(answer.tempFiles.map((file) => file.name)).toEqual(names)
    expect(answer.tempFiles.filter((file) => file.errMsg === '文件上传失败' && !file.url)).toHaveLength(1)
    expect(answer.tempFiles.filter((file) => file.url && !file.errMsg)).toHaveLength(11)
    expect(answer.tempFiles[3]).toMatchObject({
      cloudPath: `${NOW}_3.png`,
      fileType: 'image',
      path: 'blob:图3.png',
    })
  })

  it('starts the next upload as soon as one ends, at most five at once', async () => {
    const scene = cloudAt(server, SPACES.dcloud)
    const running = { now: 0, most: 0 }
    const upload = async () => {
      running.now += 1
      running.most = Math.max(running.most, running.now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running.now -= 1
      return { ok: true as const, value: { status: 200, headers: {}, data: null } }
    }
    const ports = { ...scene.ports, http: { send: scene.ports.http.send, upload } }
    const client = { system: () => ({}), locale: () => 'zh-Hans' }
    const cloud = createCloud({ spaces: [SPACES.dcloud], ports, client })

    const names = Array.from({ length: 12 }, (_, at) => `${at}.png`)
    const answer = await cloud.chooseAndUploadFile({ choose: choose(...names) })

    expect(answer.tempFiles.every((file) => file.url)).toBe(true)
    expect(running).toEqual({ now: 0, most: 5 })
  })

  it.each([
    ['keeps the choice when nothing is answered', undefined, 2],
    ['takes another choice', 'second', 1],
    ['uploads nothing when false is answered', false, 0],
  ])('%s', async (_, answer, count) => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    const result = await cloud.chooseAndUploadFile({
      choose: choose('a.png', 'b.png'),
      onChooseFile: async (files) =>
        answer === 'second' ? { ...files, tempFiles: files.tempFiles.slice(1) } : answer,
    })

    expect(result.tempFiles).toHaveLength(count)
    expect(uploads()).toHaveLength(count)
  })

  it('names the alternative if nothing of this type can be chosen', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    await expect(cloud.chooseAndUploadFile({ type: 'all' })).rejects.toMatchObject({
      errMsg: 'chooseAndUploadFile:fail 请指定 type 类型，该平台仅支持选择 image 或 video。',
    })
  })

  it.each(['chooseImage:fail cancel', 'chooseVideo:fail cancel', 'chooseFile:fail cancel'])(
    'prefixes "%s" with its own name',
    async (errMsg) => {
      const { cloud } = cloudAt(server, SPACES.aliyun)

      const choice = cloud.chooseAndUploadFile({ choose: () => Promise.reject({ errMsg }) })

      await expect(choice).rejects.toMatchObject({ errMsg: 'chooseAndUploadFile:fail cancel' })
    },
  )

  it('creates safe cloud paths, with the file’s extension if it has one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (name, index) => {
        const path = cloudPathOf(name, NOW, index)

        expect(path.startsWith(`${NOW}_${index}`)).toBe(true)
        expect(path).not.toMatch(/[/\\:]/)
      }),
    )
    expect(['a.b.PNG', 'none', 'x/.y/z', '.hidden'].map((name) => cloudPathOf(name, 1, 2))).toEqual([
      '1_2.PNG',
      '1_2none',
      '1_2',
      '1_2.hidden',
    ])
  })
})
