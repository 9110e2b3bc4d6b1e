import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AlipayState, answerAlipay } from './alipay-side.ts'
import { type Answer, type Fault, sendAnswer } from './answer.ts'
import { answerClient, type ClientState } from './client-side.ts'
import { type CloudFunction, standardFunctions } from './functions.ts'
import { readRequest, type Seen } from './seen.ts'
import type { Tables } from './tables.ts'
import { answerAuth, answerWeb, type TencentState } from './tencent-side.ts'

/** A cloud on loopback that checks signatures and tokens and fails on demand. */
export interface CloudServer {
  readonly origin: string
  readonly port: number
  /** Every request, oldest first. */
  readonly seen: readonly Seen[]
  readonly functions: Map<string, CloudFunction>
  readonly tables: Tables
  readonly aliyun: ClientState
  readonly dcloud: ClientState
  readonly tencent: TencentState
  readonly alipay: AlipayState
  /** Codes with which `/system/check-function` redirects calls to the cloud; absent: the function runs locally. */
  readonly debugCodes: Map<string, string>
  /** Corrupts the next `times` answers (default 1) to requests selected by `when` (default all). */
  fail(fault: Fault, when?: (seen: Seen) => boolean, times?: number): void
  /** All tokens issued so far become invalid. */
  expireTokens(): void
  /** Resets the server: no requests, tokens, signed files or faults. */
  reset(): void
  close(): Promise<void>
}

/** Settings that match the server. */
export const SPACES = {
  aliyun: { provider: 'aliyun', spaceId: 'space-1', clientSecret: 'secret-1' },
  tencent: { provider: 'tencent', spaceId: 'env-1' },
  alipay: { provider: 'alipay', spaceId: 'env-1', spaceAppId: 'app-1', accessKey: 'ak-1', secretKey: 'sk-1' },
  dcloud: {
    provider: 'dcloud',
    spaceId: 'space-1',
    clientSecret: 'secret-1',
    endpoint: 'https://private.example',
  },
} as const

/** @param port  0 for any free one */
export async function startCloudServer(port = 0): Promise<CloudServer> {
  const tables: Tables = new Map()
  const functions = standardFunctions(tables)
  const client = (needsToken: boolean): ClientState => ({
    secret: 'secret-1',
    needsToken,
    tokens: new Set(),
    issued: 0,
    reported: new Set(),
    signed: new Map(),
    functions,
  })
  const aliyun = client(true)
  const dcloud = client(false)
  const tencent: TencentState = {
    tokens: new Set(),
    issued: 0,
    staleCode: 'ACCESS_TOKEN_EXPIRED',
    refreshCodes: [],
    functions,
  }
  const alipay: AlipayState = { accessKey: 'ak-1', secretKey: 'sk-1', functions }
  const debugCodes = new Map<string, string>()
  const seen: Seen[] = []
  const faults: { fault: Fault; when: (seen: Seen) => boolean; left: number }[] = []

  function answer(one: Seen): Answer {
    if (one.headers['content-type']?.startsWith('multipart/')) return answerStorage(one)
    if (one.path === '/client') return answerClient(one, one.host.startsWith('private.') ? dcloud : aliyun)
    if (one.path.startsWith('/auth/v1/')) return answerAuth(one, tencent)
    if (one.path === '/web') return answerWeb(one, tencent)
    if (one.path === '/system/ping') return { data: { code: 0 } }
    if (one.path === '/system/check-function')
      return { data: { code: debugCodes.get('code') ?? 0, message: '检查' } }
    if (one.path.startsWith('/cloudfunctions/')) return { data: { local: one.body } }
    return answerAlipay(one, alipay)
  }

  const server = createServer((request, response) => {
    // Browsers send requests from the product's own origin.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    void readRequest(request).then((one) => {
      seen.push(one)
      const fault = faults.find((entry) => entry.left > 0 && entry.when(one))
      if (fault) fault.left -= 1
      return sendAnswer(response, answer(one), fault?.fault)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const used = (server.address() as AddressInfo).port
  return {
    origin: `http://127.0.0.1:${used}`,
    port: used,
    seen,
    functions,
    tables,
    aliyun,
    dcloud,
    tencent,
    alipay,
    debugCodes,
    fail: (fault, when = () => true, times = 1) => void faults.push({ fault, when, left: times }),
    expireTokens() {
      aliyun.tokens.clear()
      tencent.tokens.clear()
    },
    reset() {
      seen.splice(0)
      faults.splice(0)
      debugCodes.clear()
      tencent.refreshCodes.splice(0)
      for (const side of [aliyun, dcloud, tencent]) {
        side.tokens.clear()
        side.issued = 0
      }
      for (const side of [aliyun, dcloud]) {
        side.signed.clear()
        side.reported.clear()
        delete side.callbackUrl
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerStorage(one: Seen): Answer {
  if (!one.file) return { status: 400, data: { message: 'no file' } }
  const wanted =
    typeof one.body === 'object' && one.body !== null ? Object(one.body).success_action_status : undefined
  return { status: wanted === '201' ? 201 : 200, data: null }
}
