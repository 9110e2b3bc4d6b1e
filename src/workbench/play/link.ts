/** Maximum characters of a page whose link still works in chats and mails. */
const MAX_LINK = 30_000
/** A link that decompresses to more is refused. */
const MAX_BYTES = 2_000_000

/** A text as part of a link: compressed, in characters that need no escaping. Null if it is too long. */
export async function packed(text: string): Promise<string | null> {
  const bytes = await through(new Blob([text]).stream(), new CompressionStream('deflate-raw'))
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const code = letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return code.length > MAX_LINK ? null : code
}

/** The text in a link; null if it was truncated or is invalid. */
export async function unpacked(code: string): Promise<string | null> {
  try {
    const letters = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    const text = await through(new Blob([bytes]).stream(), new DecompressionStream('deflate-raw'))
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    return null
  }
}

async function through(
  from: ReadableStream,
  by: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = (from.pipeThrough(by) as ReadableStream<Uint8Array>).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length
    if (size > MAX_BYTES) {
      await reader.cancel()
      throw new RangeError('too long')
    }
    parts.push(part.value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
