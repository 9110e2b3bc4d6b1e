import { isObject, type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { type CallFunction, isMissingFunction } from '../call-function.ts'
import { type CloudEvents, runLife } from '../call-life.ts'
import { CloudError, codeOf, textOf, toCloudError } from '../cloud-error.ts'
import type { CloudPorts, Log } from '../cloud-ports.ts'
import type { Interceptors } from '../interceptors.ts'
import type { Listeners } from '../listeners.ts'
import type { FunctionReply } from '../provider.ts'
import type { SavedToken } from '../saved-token.ts'

const FUNCTION = 'DCloud-clientDB'
const LEVELS = new Set(['error', 'warn', 'info', 'log', 'debug'])

/** Events of one database object. */
export interface DatabaseEvents {
  error: CloudError
  refreshToken: { readonly token: string; readonly tokenExpired: number }
}

export interface DatabaseTools {
  readonly ports: CloudPorts
  readonly callFunction: CallFunction
  readonly savedToken: SavedToken
  readonly events: Listeners<CloudEvents>
  readonly interceptors: Interceptors
}

/**
 * Sends one or several commands and reads the answer (PROTOCOL 1.7).
 * @param short  true for the variant for short queries, which returns the inner result
 */
export function sendCommand(
  tools: DatabaseTools,
  listeners: Listeners<DatabaseEvents>,
  short: boolean,
  data: JsonObject,
): Promise<Json> {
  const args = { ...data }
  const answer = runLife<FunctionReply>(tools.interceptors, {
    api: short ? 'databaseForJQL' : 'database',
    args,
    work: async () => {
      try {
        return await call(tools, listeners, args)
      } catch (thrown) {
        const error = toCloudError(thrown)
        listeners.fire('error', error)
        throw error
      }
    },
    respond: (content) => tools.events.fire('response', { type: 'clientdb', content }),
  })
  return short ? answer.then((reply) => reply.result) : answer
}

async function call(
  tools: DatabaseTools,
  listeners: Listeners<DatabaseEvents>,
  data: JsonObject,
): Promise<FunctionReply> {
  const reply = await send(tools, data)
  const { result, requestId } = reply
  printSystemInfo(ownValue(result, 'systemInfo'), tools.ports)
  const code = codeOf(ownValue(result, 'code'))
  const message = textOf(ownValue(result, 'message'))
  if (code !== undefined) throw new CloudError({ code, message, requestId })
  const renewed = await tools.savedToken.take(result)
  if (renewed) {
    listeners.fire('refreshToken', renewed)
    tools.events.fire('refreshToken', renewed)
  }
  if (!isObject(result)) return reply
  const errCode = codeOf(result.errCode) ?? result.code ?? 0
  const errMsg = textOf(result.errMsg) ?? message ?? ''
  return { ...reply, result: { ...result, errCode, errMsg } }
}

async function send(tools: DatabaseTools, data: JsonObject): Promise<FunctionReply> {
  try {
    return await tools.callFunction({ name: FUNCTION, data })
  } catch (thrown) {
    const error = toCloudError(thrown)
    if (isMissingFunction(error.errMsg)) tools.ports.log('warn', tools.ports.text('cloud.schema-missing'))
    throw error
  }
}

function printSystemInfo(list: Json | undefined, { log, text }: CloudPorts): void {
  for (const entry of Array.isArray(list) ? list : []) {
    const level = String(ownValue(entry, 'level'))
    const detail = String(ownValue(entry, 'detail') ?? '')
    const words = `[System Info]${String(ownValue(entry, 'message'))}`
    log(
      isLevel(level) ? level : 'log',
      detail === '' ? words : `${words}\n${text('cloud.system-detail', { detail })}`,
    )
  }
}

function isLevel(level: string): level is Parameters<Log>[0] {
  return LEVELS.has(level)
}
