import { createHmac, timingSafeEqual } from 'node:crypto'

/** A signed address works this long, and no longer than the session it was made for. */
const URL_LIFE_MS = 600_000

/** For whom an address is made. */
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

/** What a signed address says. */
export interface SignedParts {
  readonly id: string
  readonly tenant: string
  readonly until: string
  /** Absent from addresses of before there was one: they are known as ours, and open nothing. */
  readonly session?: string | undefined
  readonly sign: string
}

/** For whom the address was made, or null when it was altered or is too old. */
export function readSignedUrl(parts: SignedParts, secret: string, now: number): Holder | null {
  const { tenant, until, session } = parts
  if (session === undefined || !isSignedByUs(parts, secret) || !(Number(until) > now)) return null
  return { tenantId: tenant, sessionId: session }
}

/** True for an address as it was given out, to whomever and however long ago. */
export function isSignedByUs(parts: SignedParts, secret: string): boolean {
  const expected = Buffer.from(signOf(parts, secret))
  const given = Buffer.from(parts.sign)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signOf({ id, tenant, until, session }: Omit<SignedParts, 'sign'>, secret: string): string {
  const said = ['file', tenant, id, until, ...(session === undefined ? [] : [session])].join(':')
  return createHmac('sha256', secret).update(said).digest('base64url')
}
