import { failure } from '../core/errors.ts'
import type { HttpResponse, Outcome, UploadRequest } from '../core/ports.ts'
import { GENERIC_TIMEOUT_MS } from './deadline.ts'
import { parseText, toOutcome } from './http-answer.ts'

/** Wire codes of PROTOCOL 3.2. */
const CODE = { timeout: 5, abort: 600003, network: 602001 } as const

/** Multipart POST with progress: fields before the file, the content type left to the browser (PROTOCOL 3.2). */
export function xhrTransfer(request: UploadRequest): Promise<Outcome<HttpResponse>> {
  const file = request.file.handle
  if (!(file instanceof Blob)) {
    return Promise.resolve({ ok: false, error: failure('REFUSED', { reason: 'file error' }) })
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(request.data ?? {})) form.append(name, value)
  form.append(request.fieldName ?? 'file', file, request.file.name || `file-${Date.now()}`)

  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest()
    const fail = (code: 'TIMEOUT' | 'ABORTED' | 'NETWORK', status: number) => () =>
      resolve({ ok: false, error: failure(code, undefined, { status }) })
    xhr.open('POST', request.url)
    xhr.timeout = request.timeoutMs ?? GENERIC_TIMEOUT_MS
    xhr.withCredentials = request.withCredentials === true
    for (const [name, value] of Object.entries(request.headers ?? {})) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (event) =>
      request.onProgress?.(event.total > 0 ? (event.loaded / event.total) * 100 : 0)
    xhr.onload = () =>
      resolve(toOutcome(xhr.status, parseHeaders(xhr.getAllResponseHeaders()), parseText(xhr.responseText)))
    xhr.ontimeout = fail('TIMEOUT', CODE.timeout)
    xhr.onabort = fail('ABORTED', CODE.abort)
    xhr.onerror = fail('NETWORK', CODE.network)
    request.signal?.addEventListener('abort', () => xhr.abort())
    xhr.send(form)
  })
}

function parseHeaders(text: string): Record<string, string> {
  const lines = text.trim().split(/[\r\n]+/)
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
