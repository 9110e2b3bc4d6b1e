import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../runtime/core/json.ts'

type BodyCheck = typeof import('../../../src/server/kernel/security/bounded-bodies.ts')
type ReadRecord = typeof import('../../../src/model/read-record.ts')
type Input = typeof import('../../../src/server/kernel/fields/input.ts')
type Described = typeof import('../../../src/server/kernel/records/described.ts')

/** Names a route was seen to read from its query or body, or names in its schema: `get /mini/stats/report` → names. */
const read = new Map<string, Set<string>>()
let current = new Set<string>()

/** What the handlers of a route have asked for so far, when they were called in whatever way. */
export function parametersOf(route: string): readonly string[] {
  return [...(read.get(route) ?? [])]
}

/** From here on what is read is read by this route. */
export function watchRoute(route: string): void {
  current = read.get(route) ?? new Set()
  read.set(route, current)
}

/** The hook that every call goes through, with another after it that watches what the handler reads: for `vi.mock`. */
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

/** Bodies are copied: the copies go on being watched. For `vi.mock`. */
export const watchedInput = (real: Input): Input => ({
  ...real,
  bodyOf: (body) => watched(real.bodyOf(body)),
})

/** Bodies are checked against fields, all of which are read. For `vi.mock`. */
export const watchedFields = (real: Described): Described => ({
  ...real,
  checkDescribed(body, fields, ...rest) {
    for (const { name } of fields) current.add(name)
    return real.checkDescribed(body, fields, ...rest)
  },
})

/** Records that are checked by their descriptions: every field is one that is read. For `vi.mock`. */
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
