import type { FastifyInstance } from 'fastify'

const POLL_INTERVAL_MS = 25

declare module 'fastify' {
  interface FastifyInstance {
    /** Set before the server closes: calls are still answered, but readiness fails and each answer closes its connection. */
    readonly draining: { isOn: boolean }
  }
}

/** Lets load balancers and clients switch before the port closes, so that no connection is cut and no call refused. */
export function addDraining(app: FastifyInstance): void {
  app.decorate('draining', { isOn: false })
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.draining.isOn) reply.header('connection', 'close')
    done()
  })
}

/** Closing waits only for running calls. Browsers keep spare connections without any request, which would keep the server open. */
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
    }, POLL_INTERVAL_MS)
  })
  app.addHook('onClose', async () => clearInterval(looking))
}
