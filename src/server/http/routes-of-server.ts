import fastify from 'fastify'
import { type ApiRoute, noteRoutes } from '../kernel/calls/api-routes.ts'
import type { Services } from '../kernel/calls/resource.ts'
import { readConfig } from '../kernel/config/config.ts'
import { PLATFORM } from './platform.ts'
import { RESOURCES } from './resources.ts'

/** The registered routes of a server without any services. */
export async function routesOfServer(): Promise<readonly ApiRoute[]> {
  const app = fastify()
  const routes = noteRoutes(app)
  app.decorateRequest('caller', null)
  const config = readConfig({ DATA_DIR: 'none' })
  // Stands in for services: whatever a resource reads while it registers is never called.
  const nothing: unknown = new Proxy(() => nothing, { get: () => nothing })
  const known = { config, routes, secret: '' }
  const services = new Proxy(known, {
    get: (target, name) => (Object.hasOwn(target, name) ? Reflect.get(target, name) : nothing),
  }) as unknown as Services
  for (const resource of [...PLATFORM, ...RESOURCES]) resource(app, services)
  return routes
}
