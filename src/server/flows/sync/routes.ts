import { SYNC_ENTITIES } from '../../../contract/sync.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { type ChangesBody, changesOf } from './changes.ts'
import { doOutbox, type OutboxBody } from './outbox.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A write that is executed once per `clientToken`: it may be sent later by the outbox. */
    readonly once?: boolean
  }
}

const words = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const
const CHANGES = {
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      since: { type: ['string', 'null'], maxLength: 8000 },
      entities: { type: 'array', minItems: 1, items: { enum: SYNC_ENTITIES } },
      // The client sends one with every POST; reading does not need it.
      clientToken: { type: 'string' },
    },
  },
} as const
const OUTBOX = {
  body: {
    type: 'object',
    required: ['ops'],
    additionalProperties: false,
    properties: {
      ops: {
        type: 'array',
        items: {
          type: 'object',
          required: ['clientToken', 'path', 'body'],
          additionalProperties: false,
          properties: {
            clientToken: words(64),
            path: words(100),
            body: { type: 'object' },
            at: words(19),
            tempId: { type: 'string', pattern: '^tmp:[\\w-]{1,60}$' },
          },
        },
      },
      sentAt: words(19),
      clientToken: { type: 'string' },
    },
  },
} as const

/** /mini/sync/… for clients that keep a copy and write offline (DOMAIN 8.6). Registered before the writes it executes. */
export const syncRoutes: Resource = (app, services) => {
  const waits = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.once === true && url.startsWith('/mini/')) waits.add(url)
  })
  app.post<{ Body: ChangesBody }>('/mini/sync/changes', { schema: CHANGES }, (request) =>
    runRead(services, callerOf(request), (ctx) => changesOf(request.body, ctx)),
  )
  app.post<{ Body: OutboxBody }>('/mini/sync/outbox', { schema: OUTBOX }, (request, reply) =>
    doOutbox(request.body, waits, { app, request, reply, now: services.now() }),
  )
}
