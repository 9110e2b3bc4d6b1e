import type { FastifyInstance } from 'fastify'
import { refuse } from '../envelope.ts'
import { text } from '../text.ts'

/**
 * Refuses calls with texts that no database takes: a zero character, or half of a character (an emoji cut in two). Said here once, it is
 * a message for the person who typed it instead of a fault of ours.
 */
export function addTextCheck(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (!isStorable({ ...(request.query as object) }) || !isStorable(request.body))
      refuse(400, 'VALIDATION', text('call.characters'), { detail: 'text' })
  })
}

const UNSTORABLE = /\0|\p{Surrogate}/u

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  if (Array.isArray(value)) return value.every(isStorable)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return true
  return Object.entries(value).every(([key, it]) => isStorable(key) && isStorable(it))
}
