import { createHmac } from 'node:crypto'

/**
 * The key that encrypts a person's drafts of one tenant on their devices. A device forgets it at sign-out and receives it again at the next sign-in:
 * it never changes and is unique. 32 bytes as base64url.
 */
export function draftKeyOf(secret: string, tenantId: string, userId: string): string {
  return createHmac('sha256', secret).update(`draft:${tenantId}:${userId}`).digest('base64url')
}
