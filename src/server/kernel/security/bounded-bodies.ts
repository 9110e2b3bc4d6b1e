import type { FastifyInstance } from 'fastify'
import { Refusal } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isApiPath } from './answers.ts'

/** Maximum nesting; pages, the deepest bodies, have about thirty levels. */
const MAX_DEPTH = 100
/** Maximum keys of one object; the widest form has about two hundred fields. */
const MAX_KEYS = 2000

/**
 * Refuses bodies that no route can use, before anything is done with them: texts that the database cannot store (a zero character, or half a
 * surrogate pair: an emoji cut in two), keys that shadow members every object has, and bodies so deep or wide that processing them is expensive.
 * Checked here once, this gives the sender a message instead of an internal error.
 */
export function addBodyBounds(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    const named = faultOf({ ...(request.params as object) }, 0)
    if (named !== null && !isApiPath(request.url) && !request.is404) return void reply.callNotFound()
    const fault = named ?? faultOf({ ...(request.query as object) }, 0) ?? faultOf(request.body, 0)
    if (fault === null) return done()
    const message = text(fault === 'text' ? 'call.characters' : 'call.invalid')
    done(new Refusal(400, { type: 'VALIDATION', detail: fault }, message, null))
  })
}

type Fault = 'text' | 'depth' | 'keys' | 'key'

const UNSTORABLE = /\0|\p{Surrogate}/u

function faultOf(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? 'text' : null
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  if (depth === MAX_DEPTH) return 'depth'
  if (Array.isArray(value)) return firstFault(value, (it) => faultOf(it, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return null
  const entries = Object.entries(value)
  if (entries.length > MAX_KEYS) return 'keys'
  return firstFault(entries, ([key, it]) => {
    if (key in Object.prototype) return 'key'
    return UNSTORABLE.test(key) ? 'text' : faultOf(it, depth + 1)
  })
}

function firstFault<T>(items: readonly T[], faultOfItem: (item: T) => Fault | null): Fault | null {
  for (const item of items) {
    const fault = faultOfItem(item)
    if (fault !== null) return fault
  }
  return null
}
