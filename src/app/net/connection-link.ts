import { isObject } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import { CONNECTION_WAIT_MS, connectionRequest } from '../../contract/connection.ts'

/** Sends `conn:` addresses through our server. Their answer is only the body of the remote service, as if it had been called directly. */
export function linkConnections(http: Http): Http {
  return {
    upload: http.upload,
    async send(request) {
      const serverRequest = connectionRequest(request)
      if (serverRequest === null) return http.send(request)
      const { headers: _, body: __, timeoutMs = CONNECTION_WAIT_MS, ...rest } = request
      const outcome = await http.send({ ...rest, ...serverRequest, timeoutMs })
      if (!outcome.ok) return outcome
      const { data } = outcome.value
      return { ok: true, value: { ...outcome.value, data: isObject(data) ? (data.data ?? null) : null } }
    },
  }
}
