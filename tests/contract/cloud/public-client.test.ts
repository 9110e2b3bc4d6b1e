import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CloudObject, CloudSpace, Database, FunctionReply } from '../../../runtime/cloud/index.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { aFile, cloudAt, NOW } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import { loadPublicClient } from '../../support/cloud-server/public-client.ts'
import type { Seen } from '../../support/cloud-server/seen.ts'

/** What both clients can do. */
interface Either {
  callFunction(options: { name: string; data?: JsonObject; async?: boolean }): Promise<FunctionReply | Json>
  importObject(name: string): CloudObject
  database(): Database
  databaseForJQL(): Database
  upload(cloudPath: string, asRealPath?: boolean): Promise<unknown>
  deleteFile(options: { fileList: string[] }): Promise<unknown>
  getTempFileURL(options: { fileList: string[] }): Promise<unknown>
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
const DELETION: Readonly<Record<string, Act>> = {
  'a deletion': (client) => client.deleteFile({ fileList: ['cloud://env-1/a.txt'] }),
}
const ASYNC: Readonly<Record<string, Act>> = {
  'a function that is not waited for': (client) => client.callFunction({ name: 'hello', async: true }),
}

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
  ['provider 2', SPACES.tencent, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...DELETION }],
  ['provider 3', SPACES.alipay, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...ASYNC }],
  ['the private provider', SPACES.dcloud, { ...FUNCTIONS, ...COMMANDS, ...UPLOADS, ...DELETION }],
] as const)('%s and the public client', (_, space: CloudSpace, acts: Readonly<Record<string, Act>>) => {
  it.each(Object.entries(acts))('send the same requests for %s', async (_name, act) => {
    const theirs = await requestsOf(act, () => publicClient(space))
    const ours = await requestsOf(act, () => ourClient(space))

    expect(ours.length).toBeGreaterThan(0)
    expect(ours).toEqual(theirs)
  })

  it('send the same requests with a login token', async () => {
    const login = { uni_id_token: 'a.b.c', uni_id_token_expired: NOW + 1 }
    const act = FUNCTIONS['a function'] ?? (async () => undefined)

    const theirs = await requestsOf(act, () => publicClient(space, login))
    const ours = await requestsOf(act, () => ourClient(space, login))

    expect(JSON.stringify(ours)).toContain('a.b.c')
    expect(ours).toEqual(theirs)
  })
})

async function requestsOf(act: Act, open: () => Promise<Either>): Promise<readonly Json[]> {
  const { callbackUrl } = server.aliyun
  server.reset()
  if (callbackUrl) server.aliyun.callbackUrl = callbackUrl
  await act(await open(), server)
  return server.seen.map(comparable)
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
    deleteFile: (options) => cloud.deleteFile(options),
    getTempFileURL: (options) => cloud.getTempFileURL(options),
    getFileInfo: (options) => cloud.getFileInfo(options),
  }
}

/** Random values; the clock stands still for both, so that signatures and times are compared byte for byte. */
const RANDOM_HEADERS = ['x-seqid', 'x-request-id', 'x-device-id', 'x-alipay-callid', 'x-trace-id']
/** Added by the HTTP stack, or depending on the random boundary of a form. */
const STACK_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'host',
  'sec-fetch-mode',
  'user-agent',
]

function comparable(seen: Seen): Json {
  const headers = Object.fromEntries(
    Object.entries(seen.headers)
      .filter(([name, value]) => value !== '' && !STACK_HEADERS.includes(name))
      .map(([name, value]) => [name, RANDOM_HEADERS.includes(name) ? 'random' : withoutBoundary(value)]),
  )
  const body = isObject(seen.body) && seen.body.seqId ? { ...seen.body, seqId: 'random' } : seen.body
  const { method, host, path, query, file } = seen
  return { method, host, path, query, headers, body, ...(file ? { file: { ...file } } : {}) }
}

function withoutBoundary(value: string): string {
  return value.startsWith('multipart/') ? 'multipart/form-data' : value
}
