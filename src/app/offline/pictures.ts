import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome, UploadRequest } from '../../../runtime/core/ports.ts'

/** Fetched with the first picture that waits. */
const waitingFiles = () => import('./waiting-files.ts').catch(() => undefined)

/** What stands for a picture that could not be uploaded; undefined for what cannot wait. */
export const keptPicture = async (request: UploadRequest): Promise<Outcome<HttpResponse> | undefined> =>
  (await waitingFiles())?.keepPicture(request)

/** The body with its pictures uploaded that waited for that; undefined without one. */
export async function withPictures(
  body: Json | undefined,
  http: Pick<Http, 'upload'>,
): Promise<Outcome<Json | undefined>> {
  if (!isObject(body) || !JSON.stringify(body).includes('"data:image/')) return { ok: true, value: undefined }
  const sender = await waitingFiles()
  return sender?.hasWaiting(body) ? sender.sendWaiting(body, http) : { ok: true, value: undefined }
}
