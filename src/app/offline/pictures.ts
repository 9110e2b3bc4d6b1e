import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome, UploadRequest } from '../../../runtime/core/ports.ts'

/** Loaded with the first waiting picture. */
const waitingFiles = () => import('./waiting-files.ts').catch(() => undefined)

/** The answer for a picture that could not be uploaded; undefined for anything that cannot wait. */
export const queuedPicture = async (request: UploadRequest): Promise<Outcome<HttpResponse> | undefined> =>
  (await waitingFiles())?.storePicture(request)

/** The body after its waiting pictures were uploaded; undefined if there are none. */
export async function withPictures(
  body: Json | undefined,
  http: Pick<Http, 'upload'>,
): Promise<Outcome<Json | undefined>> {
  if (!isObject(body) || !JSON.stringify(body).includes('"data:image/')) return { ok: true, value: undefined }
  const sender = await waitingFiles()
  return sender?.hasWaiting(body) ? sender.sendWaiting(body, http) : { ok: true, value: undefined }
}
