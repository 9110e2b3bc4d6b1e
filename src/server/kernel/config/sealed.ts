import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts texts at rest, so that the database alone does not reveal them. */
export interface Sealer {
  /** @param place  where the text is stored; it can be decrypted for that place only */
  seal(text: string, place: string): string
  /** The text; null if it was encrypted with another key or for another place. */
  open(sealed: string, place: string): string | null
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM with a key derived from `secret`, which has at least 32 characters. */
export function createSealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'secrets of connections', 32))
  return {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        cipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        return cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
