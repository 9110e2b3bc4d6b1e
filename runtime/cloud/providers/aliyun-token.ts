import { type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { CloudError, textOf } from '../cloud-error.ts'
import { exchange } from '../exchange.ts'
import type { FunctionReply, ProviderTools } from '../provider.ts'
import { signFields } from '../sign/sign-fields.ts'
import { singleFlight } from '../single-flight.ts'
import type { AliyunSpace } from '../space.ts'
import { type ClientMethod, clientBody, METHODS, readClientAnswer } from './client-call.ts'

/** Error codes after which the call is repeated once with a new token. */
const STALE = new Set<unknown>(['GATEWAY_INVALID_TOKEN', 'InvalidParameter.InvalidToken'])

interface ClientRequest {
  readonly method: ClientMethod
  readonly params: Json
  readonly timeoutMs?: number
  readonly signal?: Parameters<typeof exchange>[1]['signal']
}

export interface TokenCalls {
  authorise(): Promise<void>
  call(request: ClientRequest): Promise<FunctionReply>
}

/** Signed calls of provider 1 with a token that is kept in memory and renewed at most once per call (PROTOCOL 2.1). */
export function createTokenCalls(space: AliyunSpace, tools: ProviderTools): TokenCalls {
  const { http, clock, text } = tools.ports
  const url = `${endpointOf(space)}/client`
  let token: string | undefined

  async function send(fields: JsonObject, request: Partial<ClientRequest>): Promise<FunctionReply> {
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'x-serverless-sign': signFields(fields, space.clientSecret),
    }
    if (typeof fields.token === 'string') headers['x-basement-token'] = fields.token
    const timeoutMs = request.timeoutMs ?? tools.timeoutMs
    const signal = request.signal ? { signal: request.signal } : {}
    return readClientAnswer(
      await exchange(http, { url, method: 'POST', headers, body: fields, timeoutMs, ...signal }),
    )
  }

  const authorisation = singleFlight(async () => {
    const answer = await send(clientBody(METHODS.authorise, {}, space.spaceId, clock.now()), {})
    const found = textOf(ownValue(answer.result, 'accessToken'))
    if (!found) {
      throw new CloudError({
        code: 'AUTH_FAILED',
        message: text('cloud.auth-failed'),
        requestId: answer.requestId,
      })
    }
    token = found
    return found
  })

  async function call(request: ClientRequest): Promise<FunctionReply> {
    const fields = clientBody(request.method, request.params, space.spaceId, clock.now())
    const used = token
    if (!used) return send({ ...fields, token: await authorisation.run() }, request)
    try {
      return await send({ ...fields, token: used }, request)
    } catch (error) {
      if (!(error instanceof CloudError) || !STALE.has(error.errCode)) throw error
    }
    // Another call may have renewed the token in the meantime.
    const renewed = token === used ? await authorisation.run() : token
    return send({ ...fields, token: renewed }, request)
  }

  return { call, authorise: async () => void (await authorisation.run()) }
}

function endpointOf(space: AliyunSpace): string {
  if (space.endpoint) return space.endpoint.replace(/\/$/, '')
  return space.spaceId.startsWith('mp-') ? 'https://api.next.bspapp.com' : 'https://api.bspapp.com'
}
