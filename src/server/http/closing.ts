import type { FastifyInstance } from 'fastify'

const LOOK_MS = 25

declare module 'fastify' {
  interface FastifyInstance {
    /** On before the server closes: it still answers, but is not ready any more, and ends each connection with its answer. */
    readonly draining: { isOn: boolean }
  }
}

/** Lets balancers and clients go elsewhere before the port closes: nobody's connection is cut, no call is refused. */
export function addDraining(app: FastifyInstance): void {
  app.decorate('draining', { isOn: false })
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.draining.isOn) reply.header('connection', 'close')
    done()
  })
}

/**
 * Closing waits for the calls under way and for nothing else: a browser keeps spare connections on which it never asked
 * anything, and those would hold the server open.
 */
export function addClosing(app: FastifyInstance): void {
  let underWay = 0
  let looking: NodeJS.Timeout | undefined
  app.server.on('request', (_, response) => {
    underWay += 1
    response.on('close', () => {
      underWay -= 1
    })
  })
  app.addHook('preClose', async () => {
    looking = setInterval(() => {
      if (!app.server.listening && underWay === 0) app.server.closeAllConnections()
    }, LOOK_MS)
  })
  app.addHook('onClose', async () => clearInterval(looking))
}
