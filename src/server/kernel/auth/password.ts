import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the package's defaults (19 MiB, two passes), the second recommendation of OWASP. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** A hash of no account: verifying against it takes as long as against a real one. */
let nobody: Promise<string> | null = null

/** Checks a password. Without a hash it takes the same time and fails, so that timing does not reveal unknown accounts. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hash('nobody-has-this-password')
  const matches = await verify(stored ?? (await nobody), password).catch(() => false)
  return stored !== null && matches
}

/** What is wrong with a new password (DOMAIN 1.13), or null. */
export function passwordFault(password: string, account: string): 'weak' | 'is-account' | null {
  if (password.toLowerCase() === account.toLowerCase()) return 'is-account'
  const kinds = [/\p{L}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  const length = [...password].length
  return length < 8 || length > 20 || kinds < 2 ? 'weak' : null
}
