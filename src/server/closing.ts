import type { FastifyInstance } from 'fastify'

const LOOK_MS = 25

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
