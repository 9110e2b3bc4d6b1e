import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome, UploadRequest } from '../../../runtime/core/ports.ts'

/** A waiting picture, written in place of its address, so that it can be displayed like any other. */
const WAITING = /^data:image\/jpeg;base64,/
const UPLOAD_URL = '/engine/web/file/upload'
/** The longer side and the quality of a waiting picture: about 300 KB each, of which a device can store some. */
const SIDE_PX = 1600
const QUALITY = 0.8
const MAX_CHARS = 1_500_000

/** Reduces a picture so that it can wait; null for anything else. */
export type Shrink = (file: Blob) => Promise<string | null>

/**
 * Stores a picture that could not be uploaded without network in the form itself, in the format of an upload's answer. It is uploaded before its
 * record is sent. Undefined for anything that cannot wait: all but pictures.
 */
export async function storePicture(
  { file }: UploadRequest,
  shrink: Shrink = shrunk,
): Promise<Outcome<HttpResponse> | undefined> {
  if (!file.type.startsWith('image/') || !(file.handle instanceof Blob)) return undefined
  const url = await shrink(file.handle).catch(() => null)
  if (url === null || !WAITING.test(url) || url.length > MAX_CHARS) return undefined
  const name = `${file.name.replace(/\.\w+$/, '')}.jpg`
  return {
    ok: true,
    value: { status: 200, headers: {}, data: { name, size: bytesOf(url).length, ext: 'jpg', url } },
  }
}

/** True for a body with pictures that still have to be uploaded. */
export function hasWaiting(body: Json | undefined): boolean {
  if (Array.isArray(body)) return body.some(hasWaiting)
  if (!isObject(body)) return false
  return isWaiting(body) || Object.values(body).some(hasWaiting)
}

/** Uploads the waiting pictures of a body one after another. @returns the body with the results, or the first failure */
export async function sendWaiting(body: Json, http: Pick<Http, 'upload'>): Promise<Outcome<Json>> {
  if (Array.isArray(body)) {
    const sent: Json[] = []
    for (const one of body) {
      const outcome = await sendWaiting(one, http)
      if (!outcome.ok) return outcome
      sent.push(outcome.value)
    }
    return { ok: true, value: sent }
  }
  if (!isObject(body)) return { ok: true, value: body }
  if (isWaiting(body)) return upload(body, http)
  const sent: Record<string, Json> = {}
  for (const [name, value] of Object.entries(body)) {
    const outcome = await sendWaiting(value ?? null, http)
    if (!outcome.ok) return outcome
    sent[name] = outcome.value
  }
  return { ok: true, value: sent }
}

const isWaiting = ({ name, url }: JsonObject): boolean =>
  typeof name === 'string' && typeof url === 'string' && WAITING.test(url)

async function upload({ name, url }: JsonObject, http: Pick<Http, 'upload'>): Promise<Outcome<Json>> {
  const handle = new File([bytesOf(String(url))], String(name), { type: 'image/jpeg' })
  const outcome = await http.upload({
    url: UPLOAD_URL,
    file: { name: handle.name, size: handle.size, type: handle.type, handle },
  })
  if (!outcome.ok) return outcome
  const { data } = outcome.value
  return { ok: true, value: isObject(data) && isObject(data.data) ? data.data : data }
}

function bytesOf(url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(url.replace(WAITING, '')), (sign) => sign.charCodeAt(0))
}

async function shrunk(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file)
  const part = Math.min(1, SIDE_PX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * part)
  canvas.height = Math.round(picture.height * part)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.toDataURL('image/jpeg', QUALITY)
}
