import { createHmac, timingSafeEqual } from 'node:crypto'

/** A signed address is valid for this long, and no longer than the session for which it was made. */
const URL_LIFE_MS = 600_000

/** The session an address is made for. */
interface Holder {
  readonly tenantId: string
  readonly sessionId: string
}

/** The address of a file that works without a token, for an `<img>` or a download. */
export function signFileUrl(
  { tenantId, sessionId }: Holder,
  id: string,
  secret: string,
  now: number,
): string {
  const parts = { id, tenant: tenantId, until: String(now + URL_LIFE_MS), session: sessionId }
  const { tenant, until, session } = parts
  const query = new URLSearchParams({ tenant, until, session, sign: signOf(parts, secret) })
  return `/engine/web/file/${id}?${query}`
}

/** The content of a signed address. */
export interface SignedParts {
  readonly id: string
  readonly tenant: string
  readonly until: string
  /** Missing in addresses from before it existed: those are recognised as ours, but open nothing. */
  readonly session?: string | undefined
  readonly sign: string
}

/** The session for which the address was made, or null if it was altered or has expired. */
export function readSignedUrl(parts: SignedParts, secret: string, now: number): Holder | null {
  const { tenant, until, session } = parts
  if (session === undefined || !isSignedByUs(parts, secret) || !(Number(until) > now)) return null
  return { tenantId: tenant, sessionId: session }
}

/** True for an address that we signed, whoever it was for and however old it is. */
export function isSignedByUs(parts: SignedParts, secret: string): boolean {
  const expected = Buffer.from(signOf(parts, secret))
  const given = Buffer.from(parts.sign)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signOf({ id, tenant, until, session }: Omit<SignedParts, 'sign'>, secret: string): string {
  const payload = ['file', tenant, id, until, ...(session === undefined ? [] : [session])].join(':')
  return createHmac('sha256', secret).update(payload).digest('base64url')
}
