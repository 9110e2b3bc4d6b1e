import { failure } from '../../../runtime/core/errors.ts'
import { parseText, toOutcome } from '../../../runtime/net/http-answer.ts'
import type { Transfer } from '../../../runtime/net/upload.ts'

/** File transfer without XMLHttpRequest: multipart on fetch, fields before the file. */
export function fetchTransfer(send: typeof fetch): Transfer {
  return async (request) => {
    const file = request.file.handle
    if (!(file instanceof Blob)) return { ok: false, error: failure('REFUSED', { reason: 'file error' }) }
    const form = new FormData()
    for (const [name, value] of Object.entries(request.data ?? {})) form.append(name, value)
    form.append(request.fieldName ?? 'file', file, request.file.name)
    try {
      const answer = await send(request.url, { method: 'POST', body: form, headers: { ...request.headers } })
      request.onProgress?.(50)
      const headers = Object.fromEntries(answer.headers.entries())
      return toOutcome(answer.status, headers, parseText(await answer.text()))
    } catch (cause) {
      return { ok: false, error: failure('NETWORK', undefined, { status: 602001, cause }) }
    }
  }
}
