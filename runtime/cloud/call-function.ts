import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { AbortLike, Text } from '../core/ports.ts'
import { copyJson } from './call-life.ts'
import { toCloudError } from './cloud-error.ts'
import type { LocalDebug } from './local-debug.ts'
import type { FunctionReply, Provider, ProviderTools } from './provider.ts'
import { checkSecureNetwork, type SecretType } from './secure-network.ts'
import type { CloudSpace } from './space.ts'

const MISSING = /fc_function_not_found|FUNCTION_NOT_FOUND/

export interface FunctionOptions {
  readonly name: string
  /** The arguments of the function. A list is sent unchanged: client information and login are only added to objects. */
  readonly data?: JsonObject | readonly Json[] | undefined
  /** Default: the space's. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortLike | undefined
  readonly secretType?: SecretType | undefined
  /** Provider 3. */
  readonly async?: boolean | undefined
  /** Provider 2. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly parse?: boolean | undefined
  readonly search?: string | undefined
}

/** Calls one function with client information and login token; the reply has `errCode: 0` (PROTOCOL 1.3, 1.4). */
export type CallFunction = (options: FunctionOptions) => Promise<FunctionReply>

export function createCallFunction(
  space: CloudSpace,
  provider: Provider,
  tools: ProviderTools,
  local: LocalDebug | undefined,
): CallFunction {
  return async (options) => {
    const clientInfo = tools.clientInfo()
    checkSecureNetwork(space, options.name, clientInfo, options.secretType)
    const data = await completeData(options.data, clientInfo, tools)
    const { name, signal, async, query, parse, search } = options
    const timeoutMs = options.timeoutMs ?? tools.timeoutMs
    const call = { name, data, timeoutMs, signal, async, query, parse, search }
    try {
      const reply = (await local?.callFunction(call)) ?? (await provider.callFunction(call))
      return reply.errCode === undefined ? { ...reply, errCode: 0 } : reply
    } catch (thrown) {
      const error = toCloudError(thrown)
      const { errMsg } = error
      throw error.with({ message: explain(name, errMsg, tools.ports.text), errMsg })
    }
  }
}

async function completeData(
  data: unknown,
  clientInfo: JsonObject,
  tools: ProviderTools,
): Promise<JsonObject | readonly Json[]> {
  const copy = copyJson(data)
  if (Array.isArray(copy)) return copy
  const given = isObject(copy) ? copy : {}
  const token = given.uniIdToken ? undefined : await tools.loginToken()
  return { ...given, clientInfo, ...(token ? { uniIdToken: token } : {}) }
}

function explain(name: string, message: string, text: Text): string {
  return `[${name}]: ${message}${isMissingFunction(message) ? text('cloud.function-missing', { name }) : ''}`
}

/** True for an error message that says that the function does not exist. */
export function isMissingFunction(message: string): boolean {
  return MISSING.test(message)
}
