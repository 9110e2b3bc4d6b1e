import type { Json } from '../../core/json.ts'
import type { HttpMethod } from '../../core/ports.ts'
import { exchange, type Reply } from '../exchange.ts'
import type { ProviderTools } from '../provider.ts'
import { signRequest } from '../sign/sign-request.ts'
import type { AlipaySpace } from '../space.ts'

export interface AlipayRequest {
  readonly method: HttpMethod
  /** Includes the query. */
  readonly path: string
  readonly body?: Json | undefined
  readonly functionName: string
  readonly headers: Readonly<Record<string, string>>
  /** Those of `headers` that are signed in addition to the common ones. */
  readonly signed: readonly string[]
  readonly timeoutMs?: number
}

const COMMON = [
  'x-from-app-id',
  'x-from-env-id',
  'x-to-env-id',
  'x-from-instance-id',
  'x-from-function-name',
  'x-client-timestamp',
]

/** One signed request of provider 3 and its request id (PROTOCOL 2.3). */
export async function callAlipay(
  space: AlipaySpace,
  tools: ProviderTools,
  request: AlipayRequest,
): Promise<Reply & { readonly requestId: string }> {
  const { http, clock, random } = tools.ports
  const timestamp = String(clock.now())
  const requestId = random.uuid()
  const headers: Record<string, string> = {
    ...request.headers,
    'x-from-app-id': space.spaceAppId,
    'x-from-env-id': space.spaceId,
    'x-to-env-id': space.spaceId,
    'x-from-instance-id': timestamp,
    'x-from-function-name': request.functionName,
    'x-client-timestamp': timestamp,
    'x-alipay-source': 'client',
    'x-request-id': requestId,
    'x-alipay-callid': requestId,
    'x-trace-id': requestId,
  }
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  const [path = '', query = ''] = request.path.split('?')
  const { accessKey, secretKey } = space
  const signed = [...COMMON, ...request.signed]
  const facts = {
    method: request.method,
    path,
    query,
    headers,
    signed,
    body,
    timestamp,
    accessKey,
    secretKey,
  }
  const reply = await exchange(http, {
    url: `${endpointOf(space)}${request.path}`,
    method: request.method,
    headers: { ...headers, Authorization: signRequest(facts) },
    timeoutMs: request.timeoutMs ?? tools.timeoutMs,
    ...(body === '' ? {} : { body }),
  })
  return { ...reply, requestId }
}

function endpointOf(space: AlipaySpace): string {
  return space.endpoint?.replace(/\/$/, '') ?? `https://${space.spaceId}.api-hz.cloudbasefunction.cn`
}
