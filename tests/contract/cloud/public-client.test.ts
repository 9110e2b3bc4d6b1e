import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CloudObject, CloudSpace, Database, FunctionReply } from '../../../runtime/cloud/index.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aFile, cloudAt, NOW } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import { loadPublicClient } from '../../support/cloud-server/public-client.ts'
import { requestTable, type TableRow } from '../../support/cloud-server/request-table.ts'
import { comparable, RANDOM_HEADERS, type Seen, STACK_HEADERS } from '../../support/cloud-server/seen.ts'

interface CallOptions {
  readonly name: string
  readonly data?: JsonObject
  readonly async?: boolean
  readonly query?: Readonly<Record<string, string>>
  readonly parse?: boolean
  readonly search?: string
}

/** Features of both clients. */
interface Either {
  callFunction(options: CallOptions): Promise<FunctionReply | Json>
  importObject(name: string): CloudObject
  database(): Database
  databaseForJQL(): Database
  upload(cloudPath: string, asRealPath?: boolean): Promise<unknown>
  deleteFile(options: { fileList: string[] }): Promise<unknown>
  /** Chooses one picture and uploads it. */
  chooseAndUpload(): Promise<unknown>
  getTempFileURL(options: {
    fileList: (string | { fileID: string; maxAge: number })[]
    maxAge?: number
  }): Promise<unknown>
  getFileInfo(options: { fileList: string[] }): Promise<unknown>
}
type Act = (client: Either, server: CloudServer) => Promise<unknown>

const FUNCTIONS: Readonly<Record<string, Act>> = {
  'a function': (client) =>
    client.callFunction({ name: 'hello', data: { name: '星海 & 云帆', deep: { list: [1, null] } } }),
  'a function without data': (client) => client.callFunction({ name: 'hello' }),
  'a function that is missing': (client) => client.callFunction({ name: 'nobody' }).catch(() => undefined),
  'two calls': async (client) => {
    await client.callFunction({ name: 'hello' })
    await client.callFunction({ name: 'hello' })
  },
  'a call after the token has expired': async (client, server) => {
    await client.callFunction({ name: 'hello' })
    server.expireTokens()
    await client.callFunction({ name: 'hello' })
  },
  'a method of a cloud object': (client) =>
    client.importObject('todo').add?.('打电话', 2) ?? Promise.resolve(),
  'a method that fails': (client) =>
    client
      .importObject('todo')
      .refuse?.()
      .catch(() => undefined) ?? Promise.resolve(),
  'a call after a cloud object has renewed the login': async (client) => {
    await client.importObject('todo').login?.()
    await client.callFunction({ name: 'hello' })
  },
  'a call after the client database has renewed the login': async (client, server) => {
    const plain = server.functions.get('DCloud-clientDB') ?? (() => null)
    const renewing = { data: [], code: 0, message: '', token: 'd.e.f', tokenExpired: NOW + 2 }
    server.functions.set('DCloud-clientDB', () => renewing)
    await client.database().collection('customer').get()
    server.functions.set('DCloud-clientDB', plain)
    await client.callFunction({ name: 'hello' })
  },
}

const make = (maker: unknown, ...params: readonly unknown[]) =>
  Reflect.construct(maker as new () => JsonObject, params) as JsonObject

const COMMANDS: Readonly<Record<string, Act>> = {
  'a query': (client) =>
    client
      .database()
      .action('check')
      .collection('customer')
      .where({ name: /^星/i, at: new Date(NOW), tags: ['a', { b: null }] })
      .field('name,level')
      .orderBy('level desc')
      .skip(20)
      .limit(20)
      .get({ getCount: true }),
  'a query by text': (client) => client.databaseForJQL().collection('customer').where('level > 3').get(),
  'an insertion': (client) =>
    client
      .database()
      .collection('customer')
      .add({ name: '星海', created: new Date(NOW) }),
  'a change': (client) => client.database().collection('customer').where({ _id: '1' }).update({ level: 2 }),
  'a removal': (client) => client.database().collection('customer').doc('1').remove(),
  'a count': (client) => client.database().collection('customer').count(),
  'an aggregation': (client) =>
    client.database().collection('customer').aggregate().match({ level: 1 }).group({ _id: '$owner' }).end(),
  'several names joined': (client) => client.database().collection('customer', 'contact').get(),
  operators: (client) => {
    const db = client.database()
    const { command } = db
    return db
      .collection('customer')
      .where({ level: command.gt?.(3), owner: db.env.uid, gone: command.remove?.() })
      .get()
  },
  'operators of aggregations': (client) => {
    const db = client.database()
    const sum = db.command.aggregate.sum?.('$amount')
    return db.collection('customer').aggregate().group({ _id: null, total: sum }).end()
  },
  'places, dates and patterns made by the cloud': (client) => {
    const db = client.database()
    return db.collection('customer').add({
      place: make(db.Geo.Point, 120.1, 30.2),
      at: make(db.serverDate, { offset: 60_000 }),
      name: make(db.RegExp, { regexp: '^星', options: 'i' }),
    })
  },
  'a temporary table': (client) => {
    const db = client.database()
    const temp = db.collection('customer').where({ level: 1 }).getTemp()
    return db.collection(temp, 'contact').get()
  },
  'several commands at once': (client) => {
    const db = client.database()
    return db.multiSend(
      db.collection('customer').getTemp(),
      db.action('check').collection('contact').where({ a: 1 }).getTemp(),
    )
  },
}

const UPLOADS: Readonly<Record<string, Act>> = {
  'an upload': (client) => client.upload('a/b.txt'),
  'choosing a picture and uploading it': (client) => client.chooseAndUpload(),
  'addresses of files': (client) =>
    client.getTempFileURL({ fileList: ['cloud://env-1/a/b.txt', 'cloud://env-1/plain.txt'] }),
}
const ALIYUN_FILES: Readonly<Record<string, Act>> = {
  'an upload that keeps its path': (client) => client.upload('a/b.txt', true),
  'an upload that the storage reports': (client, server) => {
    server.aliyun.callbackUrl = 'https://callback.example/done'
    return client.upload('中文.txt')
  },
  'facts of files': (client) => client.getFileInfo({ fileList: ['https://cdn.example/a.txt?x=1', 'b'] }),
}
/** Specific to provider 2. */
const TENCENT: Readonly<Record<string, Act>> = {
  'a function with a query': (client) =>
    client.callFunction({ name: 'hello', data: { a: 1 }, query: { b: '2' }, parse: true, search: 'c=3' }),
  'a call after the token was taken away': async (client, server) => {
    server.tencent.staleCode = 'ACCESS_TOKEN_DISABLED'
    await client.callFunction({ name: 'hello' })
    server.expireTokens()
    await client.callFunction({ name: 'hello' })
    server.tencent.staleCode = 'ACCESS_TOKEN_EXPIRED'
  },
  'addresses that live for a minute': (client) =>
    client.getTempFileURL({ fileList: [{ fileID: 'cloud://env-1/a.txt', maxAge: 60 }] }),
}
const PRIVATE: Readonly<Record<string, Act>> = {
  'addresses that live for a minute': (client) =>
    client.getTempFileURL({ fileList: ['https://files.example/a.txt'], maxAge: 60 }),
}
const DELETION: Readonly<Record<string, Act>> = {
  'a deletion': (client) => client.deleteFile({ fileList: ['cloud://env-1/a.txt'] }),
}
const ASYNC: Readonly<Record<string, Act>> = {
  'a function that is not waited for': (client) => client.callFunction({ name: 'hello', async: true }),
}

const table: TableRow[] = []
let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  for (const name of ['customer', 'contact']) server.tables.set(name, [])
})

describe.each([
  ['provider 1', SPACES.aliyun, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...ALIYUN_FILES }],
  ['provider 2', SPACES.tencent, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...DELETION, ...TENCENT }],
  ['provider 3', SPACES.alipay, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...ASYNC }],
  ['the private provider', SPACES.dcloud, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...DELETION, ...PRIVATE }],
] as const)(
  '%s and the public client',
  (provider, space: CloudSpace, acts: Readonly<Record<string, Act>>) => {
    it.each(Object.entries(acts))('send the same requests for %s', async (call, act) => {
      const theirs = await requestsOf(act, () => publicClient(space))
      const ours = await requestsOf(act, () => ourClient(space))

      expect(ours.length).toBeGreaterThan(0)
      expect(ours.map(comparable)).toEqual(theirs.map(comparable))
      table.push({ provider, call, requests: ours })
    })

    it('send the same requests with a login token', async () => {
      const login = { uni_id_token: 'a.b.c', uni_id_token_expired: NOW + 1 }
      const act = FUNCTIONS['a function'] ?? (async () => undefined)

      const theirs = await requestsOf(act, () => publicClient(space, login))
      const ours = await requestsOf(act, () => ourClient(space, login))

      expect(JSON.stringify(ours.map(comparable))).toContain('a.b.c')
      expect(ours.map(comparable)).toEqual(theirs.map(comparable))
      table.push({ provider, call: 'a function with a login token', requests: ours })
    })
  },
)

it('the table of compared calls equals the one in runtime/cloud/REQUESTS.md (vitest -u updates it)', async () => {
  const left = { random: RANDOM_HEADERS, stack: STACK_HEADERS }

  await expect(requestTable(table, left)).toMatchFileSnapshot('../../../runtime/cloud/REQUESTS.md')
})

async function requestsOf(act: Act, open: () => Promise<Either>): Promise<readonly Seen[]> {
  const { callbackUrl } = server.aliyun
  server.reset()
  if (callbackUrl) server.aliyun.callbackUrl = callbackUrl
  await act(await open(), server)
  return [...server.seen]
}

async function publicClient(space: CloudSpace, stored: JsonObject = {}): Promise<Either> {
  const files = new Map([['file.txt', new Blob(['content'])]])
  const { client, storage } = loadPublicClient(space, server.origin, NOW, files)
  for (const [key, value] of Object.entries(stored)) storage.set(key, value ?? null)
  return {
    callFunction: (options) => client.callFunction(options),
    importObject: (name) => client.importObject(name),
    database: () => client.database(),
    databaseForJQL: () => client.databaseForJQL(),
    upload: (cloudPath, cloudPathAsRealPath) =>
      client.uploadFile({
        filePath: 'file.txt',
        cloudPath,
        ...(cloudPathAsRealPath ? { cloudPathAsRealPath } : {}),
      }),
    chooseAndUpload: () => client.chooseAndUploadFile({ type: 'image' }),
    deleteFile: (options) => client.deleteFile(options),
    getTempFileURL: (options) => client.getTempFileURL(options),
    getFileInfo: (options) => client.getFileInfo(options),
  }
}

async function ourClient(space: CloudSpace, stored: JsonObject = {}): Promise<Either> {
  const { cloud, storage } = cloudAt(server, space)
  for (const [key, value] of Object.entries(stored)) await storage.set(key, value ?? null)
  return {
    callFunction: (options) => cloud.callFunction(options),
    importObject: (name) => cloud.importObject(name),
    database: () => cloud.database(),
    databaseForJQL: () => cloud.databaseForJQL(),
    upload: (cloudPath, cloudPathAsRealPath) =>
      cloud.uploadFile({ file: aFile('file.txt'), cloudPath, cloudPathAsRealPath }),
    chooseAndUpload: () =>
      cloud.chooseAndUploadFile({
        type: 'image',
        choose: async () => [{ file: aFile('file.txt'), path: 'file.txt' }],
      }),
    deleteFile: (options) => cloud.deleteFile(options),
    getTempFileURL: (options) => cloud.getTempFileURL(options),
    getFileInfo: (options) => cloud.getFileInfo(options),
  }
}
