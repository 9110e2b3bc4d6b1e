import { utf8ToBytes } from '@noble/hashes/utils.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 (RFC 4648, padded) of a text's UTF-8 bytes. */
export function encodeBase64(text: string): string {
  const bytes = utf8ToBytes(text)
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET.charAt((group >> shift) & 63))
    out += letters.slice(0, Math.min(4, bytes.length - at + 1)).join('')
  }
  return out.padEnd(Math.ceil(out.length / 4) * 4, '=')
}

/**
 * Decodes base64, in the plain or URL alphabet, padded or not.
 * @throws Error if it is not base64 or not UTF-8
 */
export function decodeBase64(coded: string): string {
  const letters = coded
    .replace(/[\t\n\f\r ]+/g, '')
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  if (letters.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(letters)) throw new Error('not base64')
  let percent = ''
  let bits = 0
  let buffered = 0
  for (const letter of letters) {
    buffered = ((buffered << 6) | ALPHABET.indexOf(letter)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    percent += `%${((buffered >> bits) & 255).toString(16).padStart(2, '0')}`
  }
  return decodeURIComponent(percent)
}
