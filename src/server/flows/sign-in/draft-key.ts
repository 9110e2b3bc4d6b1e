import { createHmac } from 'node:crypto'

/**
 * What a person's drafts in one tenant are locked with on their devices. A device forgets it at sign-out and is told it again at
 * the next sign-in: it never changes, and nobody else's is like it. 32 bytes as base64url.
 */
export function draftKeyOf(secret: string, tenantId: string, userId: string): string {
  return createHmac('sha256', secret).update(`draft:${tenantId}:${userId}`).digest('base64url')
}
