import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../runtime/core/json.ts'

type BodyCheck = typeof import('../../../src/server/kernel/security/bounded-bodies.ts')
type ReadRecord = typeof import('../../../src/model/read-record.ts')
type Input = typeof import('../../../src/server/kernel/fields/input.ts')
type Described = typeof import('../../../src/server/kernel/records/described.ts')

/** Names that a route has read from its query or body, or that its schema contains: `get /mini/stats/report` → names. */
const read = new Map<string, Set<string>>()
let current = new Set<string>()

/** Parameters that the handlers of a route have read so far, in any call. */
export function parametersOf(route: string): readonly string[] {
  return [...(read.get(route) ?? [])]
}

/** Attributes everything that is read from here on to this route. */
export function watchRoute(route: string): void {
  current = read.get(route) ?? new Set()
  read.set(route, current)
}

/** The hook that every call passes, followed by one that records what the handler reads: for `vi.mock`. */
export function watchedCalls(real: BodyCheck): BodyCheck {
  return {
    addBodyBounds(app: FastifyInstance) {
      real.addBodyBounds(app)
      app.addHook('preHandler', async (request: FastifyRequest) => {
        noteSchema(request.routeOptions.schema?.querystring)
        noteSchema(request.routeOptions.schema?.body)
        if (isObject(request.query)) request.query = watched(request.query)
        if (isObject(request.body)) request.body = watched(request.body)
      })
    },
  }
}

/** Copies of bodies are recorded as well. For `vi.mock`. */
export const watchedInput = (real: Input): Input => ({
  ...real,
  bodyOf: (body) => watched(real.bodyOf(body)),
})

/** A body that is checked against fields counts as reading all of them. For `vi.mock`. */
export const watchedFields = (real: Described): Described => ({
  ...real,
  checkDescribed(body, fields, ...rest) {
    for (const { name } of fields) current.add(name)
    return real.checkDescribed(body, fields, ...rest)
  },
})

/** A record that is checked against its description counts as reading every field. For `vi.mock`. */
export function watchedRecords(real: ReadRecord): ReadRecord {
  return {
    ...real,
    readRecord(body, fields, complete) {
      for (const { name } of fields) current.add(name)
      return real.readRecord(body, fields, complete)
    },
  }
}

function watched(body: JsonObject): JsonObject {
  return new Proxy(body, {
    get(target, name) {
      if (typeof name === 'string') current.add(name)
      return Reflect.get(target, name)
    },
  })
}

function noteSchema(schema: unknown): void {
  if (!isObject(schema) || !isObject(schema.properties)) return
  for (const name of Object.keys(schema.properties)) current.add(name)
}
