import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CloudObject, CloudSpace, Database } from '../../../runtime/cloud/index.ts'
import { type Json, ownValue } from '../../../runtime/core/json.ts'
import { aFile, cloudAt, NOW } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import { loadPublicClient } from '../../support/cloud-server/public-client.ts'

/** Features of both clients; options are those of the public client. */
interface Either {
  callFunction(options: { name: string; data?: readonly Json[] | { readonly a: number } }): Promise<Json>
  importObject(name: string, options: { customUI: true }): CloudObject
  databaseForJQL(): Database
  upload(cloudPath: string): Promise<unknown>
  chooseAndUpload(name: string): Promise<unknown>
  getTempFileURL(options: { fileList: string[] }): Promise<unknown>
  getCurrentUserInfo(): unknown
  addInterceptor(api: string, interceptor: { success: (result: unknown) => void }): void
}

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  server.tables.set('customer', [{ _id: '1' }])
})

const BUSY = { code: 'BUSY', message: '忙' }
const BROKEN = { kind: 'answer', answer: { status: 500, data: { ...BUSY, error: BUSY } } } as const
const isMe = ({ path }: { readonly path: string }) => path === '/auth/v1/user/me'
const ACTS: Readonly<Record<string, (client: Either) => unknown>> = {
  'a function': (client) => client.callFunction({ name: 'hello', data: { a: 1 } }),
  'a function called with a list': (client) => client.callFunction({ name: 'hello', data: [1, 2] }),
  'a function that is missing': (client) => client.callFunction({ name: 'nobody' }),
  'a function that fails': (client) => {
    server.fail(BROKEN, ({ body, path }) => JSON.stringify([body, path]).includes('hello'), 3)
    return client.callFunction({ name: 'hello' })
  },
  'a method that fails': (client) => client.importObject('todo', { customUI: true }).refuse?.(),
  'a method whose call fails': (client) => {
    server.fail(BROKEN, ({ body, path }) => JSON.stringify([body, path]).includes('todo'), 3)
    return client.importObject('todo', { customUI: true }).add?.('x')
  },
  'a file whose path has blanks around it': (client) => client.upload(' a/b.txt '),
  'a file without an ending': (client) => client.chooseAndUpload('noending'),
  'an address of a file': (client) => client.getTempFileURL({ fileList: ['cloud://env-1/a.txt'] }),
  'a short query, and what an interceptor sees of it': async (client) => {
    const seen: unknown[] = []
    client.addInterceptor('databaseForJQL', { success: (result) => void seen.push(result) })
    return [await client.databaseForJQL().collection('customer').get(), seen]
  },
  'a call without the record of the anonymous user': (client) => {
    server.fail({ kind: 'answer', answer: { status: 500, data: { error: 'x' } } }, isMe, 9)
    return client.callFunction({ name: 'hello' })
  },
}

describe.each(Object.entries(SPACES))('with %s', (_, space: CloudSpace) => {
  it.each(Object.entries(ACTS))(
    '%s answers like the public client, with the same requests',
    async (_name, act) => {
      const theirs = await answerOf(act, theirClient(space))
      const ours = await answerOf(act, ourClient(space))

      expect(ours).toEqual(theirs)
    },
  )

  it.each([
    { uid: 7, role: 'admin', permission: ['a'], exp: 5, iat: 1 },
    { uid: 'u', role: ['a', 'b'], permission: 'x', exp: 5, extra: { deep: true } },
  ])('the token %j belongs to the same user', async (claims) => {
    const token = `h.${Buffer.from(JSON.stringify(claims)).toString('base64')}.s`

    const theirs = theirClient(space, token).getCurrentUserInfo()

    expect(await ourClient(space, token).getCurrentUserInfo()).toEqual(theirs)
  })
})

/** The result or the error, without what differs from call to call, and the paths of uploaded files. */
async function answerOf(act: (client: Either) => unknown, client: Either): Promise<Json> {
  server.reset()
  const outcome = await Promise.resolve()
    .then(() => act(client))
    .then(plain, (thrown: Readonly<Record<string, unknown>>) => {
      const { errCode, errMsg, message, errSubject, detail } = thrown
      return plain({
        errCode,
        errMsg,
        message,
        errSubject,
        detail: ownValue(detail as Json, 'errMsg'),
      })
    })
  const files = server.seen.filter((one) => one.file).map((one) => ownValue(one.body, 'key') ?? null)
  const tokens = server.seen.map((one) => one.headers['x-client-token'] ?? null)
  return { outcome, files, tokens }
}

/** Ids are random and the order of keys is undefined; a chosen file is another object here. */
const plain = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value ?? null, (key, inner) => (LEFT.has(key) ? undefined : inner))) as Json
const LEFT = new Set(['requestId', 'file', 'fileID', 'tempFileURL'])

function theirClient(space: CloudSpace, token?: string): Either {
  const files = new Map([['noending', new Blob(['content'])]])
  const { client, storage } = loadPublicClient(space, server.origin, NOW, files)
  if (token !== undefined) storage.set('uni_id_token', token)
  return {
    ...(client as unknown as Either),
    upload: (cloudPath) => client.uploadFile({ filePath: 'noending', cloudPath }),
    chooseAndUpload: () => client.chooseAndUploadFile({ type: 'image' }),
  }
}

function ourClient(space: CloudSpace, token?: string): Either {
  const { cloud, storage } = cloudAt(server, space)
  if (token !== undefined) storage.values.set('uni_id_token', token)
  return {
    ...(cloud as unknown as Either),
    upload: (cloudPath) => cloud.uploadFile({ file: aFile('noending'), cloudPath }),
    chooseAndUpload: (name) =>
      cloud.chooseAndUploadFile({
        type: 'image',
        choose: async () => [{ file: aFile(name), path: name }],
      }),
  }
}
