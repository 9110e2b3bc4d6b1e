/** RFC 8188 and RFC 8291; the package has no types of its own. */
declare module 'http_ece' {
  interface EncryptOptions {
    readonly version: 'aes128gcm'
    /** The receiver's public key, in base64url. */
    readonly dh: string
    readonly privateKey: import('node:crypto').ECDH
    readonly authSecret: string
  }
  export function encrypt(content: Buffer, options: EncryptOptions): Buffer
}
