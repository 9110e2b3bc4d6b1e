/** A page of more characters does not fit into a link that chats and mails pass on. */
const LONGEST_LINK = 30_000
/** A link that unfolds to more is not opened. */
const MOST_BYTES = 2_000_000

/** A text as part of a link: packed, in letters that no address changes. Null where it is too long for one. */
export async function packed(text: string): Promise<string | null> {
  const bytes = await through(new Blob([text]).stream(), new CompressionStream('deflate-raw'))
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const code = letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return code.length > LONGEST_LINK ? null : code
}

/** The text of a link; null of one that was cut off or made by nobody here. */
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
    if (size > MOST_BYTES) {
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
