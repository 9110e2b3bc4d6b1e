import { isObject, type Json, type JsonObject, ownValue } from '../../core/json.ts'
import type { AbortLike, Random } from '../../core/ports.ts'
import { CloudError, codeOf, textOf } from '../cloud-error.ts'
import { exchange } from '../exchange.ts'
import type { ProviderTools } from '../provider.ts'
import type { TencentSpace } from '../space.ts'
import type { TencentStore } from './tencent-store.ts'

const DATA_VERSION = '2019-08-16'
const ADVICE = /\s+请前往云开发AI小助手查看问题：[^\n]*$/

export interface WebRequest {
  readonly action: string
  readonly fields: JsonObject
  /** Absent for sign-in actions. */
  readonly token?: string
  readonly timeoutMs?: number
  readonly signal?: AbortLike | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly parse?: boolean | undefined
  readonly search?: string | undefined
}

/** One action of provider 2; the answer may have a `code` (PROTOCOL 2.2). */
export type WebCall = (request: WebRequest) => Promise<JsonObject>

/** Actions at `https://tcb-api.tencentcloudapi.com/web`. @throws CloudError NETWORK_ERROR without status 200 or without a body */
export function createWebCall(space: TencentSpace, tools: ProviderTools, store: TencentStore): WebCall {
  const { http, random } = tools.ports
  return async (request) => {
    const { seqId, headers } = numberRequest(random)
    const trace = textOf(await store.get('x-tcb-trace'))
    const reply = await exchange(http, {
      url: addressOf(space.spaceId, request),
      method: 'POST',
      timeoutMs: request.timeoutMs ?? tools.timeoutMs,
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(trace ? { 'X-TCB-Trace': trace } : {}),
      },
      body: {
        action: request.action,
        env: space.spaceId,
        dataVersion: DATA_VERSION,
        ...request.fields,
        ...(request.token ? { access_token: request.token } : {}),
        seqId,
      },
      ...(request.signal ? { signal: request.signal } : {}),
    })
    const next = reply.headers['x-tcb-trace']
    if (next) await store.set('x-tcb-trace', next)
    if (reply.status !== 200 || !isObject(reply.data)) {
      throw new CloudError({ code: 'NETWORK_ERROR', message: 'network request error', cause: reply.failure })
    }
    return reply.data
  }
}

/** The sequence id of every request except sign-in, including uploads. */
export function numberRequest(random: Random): {
  readonly seqId: string
  readonly headers: Record<string, string>
} {
  const seqId = random.uuid().replaceAll('-', '').slice(0, 13)
  return { seqId, headers: { 'X-SDK-Version': '1.3.5', 'x-seqid': seqId } }
}

function addressOf(env: string, { query, parse, search }: WebRequest): string {
  const pairs = Object.entries({ ...query, env, ...(parse ? { parse: 'true' } : {}) })
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `https://tcb-api.tencentcloudapi.com/web?${text}${search ?? ''}`
}

/** Returns an answer without an error code. @throws CloudError with the answer's code and message */
export function checkWebAnswer(answer: JsonObject): JsonObject {
  const code = codeOf(answer.code)
  if (code === undefined) return answer
  const message = textOf(answer.message)?.replace(ADVICE, '')
  throw new CloudError({ code, message, requestId: textOf(answer.requestId) })
}

/** A field of the answer's `data`. */
export function dataOf(answer: JsonObject, name: string): Json | undefined {
  return ownValue(ownValue(answer, 'data'), name)
}
