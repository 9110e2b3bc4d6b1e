import type { FastifyRequest } from 'fastify'

const DAY_MS = 86_400_000

/**
 * When the user made the change that arrives now. A phone that had no network sends how long the write has waited (`X-Queued-Ms`): a duration rather
 * than a time, so that its clock need not be right. At most `days` back; `now` without the header.
 */
export function writtenAt(request: FastifyRequest, now: Date, days: number): Date {
  const header = request.headers['x-queued-ms']
  const waited = typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : 0
  return new Date(now.getTime() - Math.min(waited, days * DAY_MS))
}
