import { failure } from '../core/errors.ts'
import type { AbortLike, Outcome } from '../core/ports.ts'
import { createDeadline } from './deadline.ts'
import { readBody } from './read-body.ts'

/** Wire code of a transfer that the network broke off (PROTOCOL 3.3). */
const NETWORK = 602001

export interface DownloadRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default 60000. */
  readonly timeoutMs?: number
  readonly signal?: AbortLike
  readonly onProgress?: (progress: DownloadProgress) => void
}

/** `percent` is rounded; it is 0 while the server has not said how many bytes to expect. */
interface DownloadProgress {
  readonly percent: number
  readonly written: number
  readonly expected: number
}

export interface DownloadedFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As the server names it (`content-disposition`), else the last part of the url's path. */
  readonly name: string
  readonly blob: Blob
}

/** Fetches a file. Settles always; a status other than 2xx is a failure, unlike in PROTOCOL 3.3 (see 12, 22). */
export async function downloadFile(
  request: DownloadRequest,
  send: typeof fetch = (input, init) => fetch(input, init),
): Promise<Outcome<DownloadedFile>> {
  const deadline = createDeadline(request, NETWORK)
  try {
    const { signal } = deadline
    const headers = { ...request.headers }
    const response = await send(request.url, { headers, credentials: 'omit', signal })
    const { status } = response
    const expected = Number(response.headers.get('content-length') ?? 0)
    const parts = await readBody(response, undefined, (written) =>
      request.onProgress?.({ percent: percentOf(written, expected), written, expected }),
    )
    const answered = Object.fromEntries(response.headers.entries())
    if (!response.ok) {
      return { ok: false, error: failure('HTTP_STATUS', { status }, { status, headers: answered }) }
    }
    const blob = new Blob(parts, { type: response.headers.get('content-type') ?? '' })
    return { ok: true, value: { status, headers: answered, name: nameOf(response, request.url), blob } }
  } catch (cause) {
    return deadline.reason(cause)
  } finally {
    deadline.clear()
  }
}

function percentOf(written: number, expected: number): number {
  return expected > 0 ? Math.min(100, Math.round((written / expected) * 100)) : 0
}

function nameOf(response: Response, url: string): string {
  const disposition = response.headers.get('content-disposition') ?? ''
  const [, encoded] = /(?:^|;)\s*filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition) ?? []
  if (encoded !== undefined && !/%(?![\da-f]{2})/i.test(encoded)) return decodeURIComponent(encoded.trim())
  const [, quoted, unquoted] = /(?:^|;)\s*filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition) ?? []
  const [path = ''] = url.split(/[?#]/)
  return (quoted ?? unquoted?.trim() ?? '') || path.slice(path.lastIndexOf('/') + 1)
}
