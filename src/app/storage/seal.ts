import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/** Prefix of encrypted texts, with the version of the format. */
const MARK = 'sealed1:'
const NONCE_BYTES = 24

/**
 * Encrypts a text so that it can be read only with the key and only in its own place. Synchronous, because the browser's cryptography is asynchronous
 * and a closing tab does not wait for it.
 *
 * @param key  32 bytes as base64url
 * @param place  where it is stored: sealed values cannot be swapped
 */
export function seal(text: string, key: string, place: string): string {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const locked = xchacha20poly1305(bytesOf(key), nonce, utf8(place)).encrypt(utf8(text))
  return MARK + base64Of([...nonce, ...locked])
}

/** The text; undefined if it was encrypted with another key, for another place, or not at all. */
export function unseal(sealed: string, key: string, place: string): string | undefined {
  if (!sealed.startsWith(MARK)) return undefined
  try {
    const bytes = bytesOf(sealed.slice(MARK.length))
    const cipher = xchacha20poly1305(bytesOf(key), bytes.slice(0, NONCE_BYTES), utf8(place))
    return new TextDecoder().decode(cipher.decrypt(bytes.slice(NONCE_BYTES)))
  } catch {
    return undefined
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}

function base64Of(bytes: readonly number[]): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
