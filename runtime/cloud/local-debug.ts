import { ownValue } from '../core/json.ts'
import { CloudError, textOf } from './cloud-error.ts'
import type { CloudPorts } from './cloud-ports.ts'
import { exchange } from './exchange.ts'
import { CHECK_TIMEOUT_MS, PING_TIMEOUT_MS } from './limits.ts'
import type { FunctionCall, FunctionReply } from './provider.ts'
import { singleFlight } from './single-flight.ts'
import type { CloudSpace } from './space.ts'

/** The debug service on the developer's machine (PROTOCOL 2.5). */
export interface LocalDebug {
  /** Runs the function there; `undefined`: use the cloud. */
  callFunction(call: FunctionCall): Promise<FunctionReply | undefined>
}

const TO_CLOUD = new Set(['MODULE_ENCRYPTED', 'FUNCTION_ENCRYPTED', 'ACTION_ENCRYPTED', 'NETWORK_ERROR'])
const WIRE_NAMES: Readonly<Partial<Record<CloudSpace['provider'], string>>> = {
  tencent: 'tcb',
  private: 'dcloud',
}

/** Searches once for the first address that answers the ping; without one every call goes to the cloud. */
export function createLocalDebug(space: CloudSpace, ports: CloudPorts): LocalDebug | undefined {
  const { debug } = space
  if (!debug) return undefined
  const { http, log } = ports
  const provider = WIRE_NAMES[space.provider] ?? space.provider

  const found = singleFlight(async () => {
    for (const address of debug.addresses) {
      const base = `http://${address}:${debug.port}`
      if (await pingDebugService(ports, base)) return base
    }
    log('warn', 'the local debug service does not answer, cloud functions run in the cloud')
    return undefined
  }, true)

  async function isLocal(base: string, name: string): Promise<boolean> {
    const body = { name, platform: 'web', provider, spaceId: space.spaceId }
    const url = `${base}/system/check-function`
    const reply = await exchange(http, { url, method: 'POST', body, timeoutMs: CHECK_TIMEOUT_MS })
    const code = reply.status === 0 ? 'NETWORK_ERROR' : ownValue(reply.data, 'code')
    if (code === 0) return true
    const message = textOf(ownValue(reply.data, 'message')) ?? 'SYS_ERR'
    if (TO_CLOUD.has(String(code))) log('error', `${String(code)}: ${name} runs in the cloud (${message})`)
    else if (code !== 'SWITCH_TO_CLOUD') throw new CloudError({ code: textOf(code) ?? 'SYS_ERR', message })
    return false
  }

  return {
    async callFunction({ name, data, timeoutMs }) {
      const base = await found.run()
      if (base === undefined || !(await isLocal(base, name))) return undefined
      const body = { provider, platform: 'web', param: data }
      const url = `${base}/cloudfunctions/${encodeURIComponent(name)}`
      const reply = await exchange(http, { url, method: 'POST', body, timeoutMs })
      if (reply.status !== 0 && reply.status < 400) return { result: reply.data }
      throw new CloudError({
        code: textOf(ownValue(reply.data, 'code')) ?? 'SYS_ERR',
        message: textOf(ownValue(reply.data, 'message')) ?? 'request:fail',
        cause: reply.failure,
      })
    },
  }
}

/** True if `GET <base>/system/ping` answers code 0 within 500 ms. */
export async function pingDebugService(ports: CloudPorts, base: string): Promise<boolean> {
  const url = `${base}/system/ping`
  const reply = await exchange(ports.http, { url, method: 'GET', timeoutMs: PING_TIMEOUT_MS })
  return reply.status === 200 && ownValue(reply.data, 'code') === 0
}
