import { failure } from '../core/errors.ts'
import type { HttpResponse, Outcome, UploadRequest } from '../core/ports.ts'

/** Sends one file; settles always. */
export type Transfer = (request: UploadRequest) => Promise<Outcome<HttpResponse>>

/** Uploads at once over the whole app. */
export const PARALLEL_UPLOADS = 5

/**
 * A queue in front of `transfer`: at most {@link PARALLEL_UPLOADS} run, the rest wait in the order they came. Progress is held
 * at 99 until the server answered and is 100 only on success (upload list).
 */
export function createUploader(transfer: Transfer = browserTransfer): { readonly upload: Transfer } {
  const waiting: (() => void)[] = []
  let running = 0

  function start(task: () => Promise<void>): void {
    running += 1
    void task().finally(() => {
      running -= 1
      waiting.shift()?.()
    })
  }

  function upload(request: UploadRequest): Promise<Outcome<HttpResponse>> {
    return new Promise((resolve) => {
      const begin = () => start(async () => resolve(await sendHeld(request, transfer)))
      if (running < PARALLEL_UPLOADS) begin()
      else waiting.push(begin)
    })
  }
  return { upload }
}

async function sendHeld(request: UploadRequest, transfer: Transfer): Promise<Outcome<HttpResponse>> {
  if (request.signal?.aborted) return { ok: false, error: failure('ABORTED', undefined, { status: 600003 }) }
  const outcome = await transfer({
    ...request,
    onProgress: (percent) => request.onProgress?.(Math.min(99, Math.round(percent))),
  })
  if (outcome.ok) request.onProgress?.(100)
  return outcome
}

/** XMLHttpRequest, which reports progress; fetched with the first file. */
const browserTransfer: Transfer = async (request) => {
  try {
    const { xhrTransfer } = await import('./xhr-transfer.ts')
    return await xhrTransfer(request)
  } catch (cause) {
    return { ok: false, error: failure('NETWORK', undefined, { status: 602001, cause }) }
  }
}
