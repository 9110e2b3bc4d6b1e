/** An answer's parts as they come, and how many bytes there are so far. */
type OnPart = (bytes: number) => void

/** Thrown when an answer is longer than allowed; the rest of it is not fetched. */
export class BodyTooLong extends Error {}

/** Reads an answer to its end, part by part. @throws BodyTooLong beyond `most` bytes */
export async function readBody(
  response: Response,
  most = Number.POSITIVE_INFINITY,
  onPart: OnPart = () => {},
): Promise<Uint8Array<ArrayBuffer>[]> {
  const reader = response.body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > most) {
      await reader?.cancel()
      throw new BodyTooLong(`the answer has more than ${most} bytes`)
    }
    parts.push(new Uint8Array(part.value))
    onPart(bytes)
  }
  return parts
}
