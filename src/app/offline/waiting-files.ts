import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome, UploadRequest } from '../../../runtime/core/ports.ts'

/** How a picture that waits is written in the place of its address: it is drawn from there as from any other. */
const WAITING = /^data:image\/jpeg;base64,/
const UPLOAD_URL = '/engine/web/file/upload'
/** The longer side of a picture that waits, and how good it stays: some 300 KB, of which a device can hold some. */
const SIDE_PX = 1600
const QUALITY = 0.8
const CHARS_MOST = 1_500_000

/** Makes a picture small enough to wait; null for what is none. */
export type Shrink = (file: Blob) => Promise<string | null>

/**
 * Keeps a picture that could not be uploaded for want of a network in the form itself, as its upload would have been answered; it is sent
 * before what it belongs to. Undefined for what cannot wait: anything but pictures.
 */
export async function keepPicture(
  { file }: UploadRequest,
  shrink: Shrink = shrunk,
): Promise<Outcome<HttpResponse> | undefined> {
  if (!file.type.startsWith('image/') || !(file.handle instanceof Blob)) return undefined
  const url = await shrink(file.handle).catch(() => null)
  if (url === null || !WAITING.test(url) || url.length > CHARS_MOST) return undefined
  const name = `${file.name.replace(/\.\w+$/, '')}.jpg`
  return {
    ok: true,
    value: { status: 200, headers: {}, data: { name, size: bytesOf(url).length, ext: 'jpg', url } },
  }
}

/** True for a body that has pictures in it which were never uploaded. */
export function hasWaiting(body: Json | undefined): boolean {
  if (Array.isArray(body)) return body.some(hasWaiting)
  if (!isObject(body)) return false
  return isWaiting(body) || Object.values(body).some(hasWaiting)
}

/** Uploads the pictures of a body that waited, one after the other. @returns the body with what became of them; the first failure otherwise */
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
