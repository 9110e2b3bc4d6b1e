import { createHmac, timingSafeEqual } from 'node:crypto'

/** A signed address works this long. */
export const URL_LIFE_MS = 600_000

/** The address of a file that works without a session, for an `<img>` or a download. */
export function signFileUrl(tenantId: string, id: string, secret: string, now: number): string {
  const until = now + URL_LIFE_MS
  const query = new URLSearchParams({
    tenant: tenantId,
    until: String(until),
    sign: signOf(tenantId, id, until, secret),
  })
  return `/engine/web/file/${id}?${query}`
}

/** What a signed address says. */
export interface SignedParts {
  readonly id: string
  readonly tenant: string
  readonly until: string
  readonly sign: string
}

/** The tenant the address was signed for, or null when it was altered or is too old. */
export function readSignedUrl(parts: SignedParts, secret: string, now: number): string | null {
  return isSignedByUs(parts, secret) && Number(parts.until) > now ? parts.tenant : null
}

/** True for an address as it was given out, however long ago. */
export function isSignedByUs({ id, tenant, until, sign }: SignedParts, secret: string): boolean {
  const expected = Buffer.from(signOf(tenant, id, Number(until), secret))
  const given = Buffer.from(sign)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signOf(tenantId: string, id: string, until: number, secret: string): string {
  return createHmac('sha256', secret).update(`file:${tenantId}:${id}:${until}`).digest('base64url')
}
