import type { FastifyInstance, RouteOptions } from 'fastify'

/** A registered API call. */
export interface ApiRoute {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly permission: string | null
  readonly isPublic: boolean
  /** The answer is sent without the envelope. */
  readonly isRaw: boolean
  readonly isByStatus: boolean
  readonly body: object | null
  readonly query: object | null
}

/** Paths that are not files of the client. */
const INTERFACE = /^\/(?:mini|engine)\/|^\/openapi\.json$/

/** Records every API route that is registered after it. */
export function noteRoutes(app: FastifyInstance): readonly ApiRoute[] {
  const routes: ApiRoute[] = []
  app.addHook('onRoute', ({ method, url, config, schema }: RouteOptions) => {
    for (const httpMethod of [method].flat()) {
      if ((httpMethod !== 'GET' && httpMethod !== 'POST') || !INTERFACE.test(url)) continue
      routes.push({
        method: httpMethod === 'GET' ? 'get' : 'post',
        path: url,
        permission: config?.permission ?? null,
        isPublic: config?.public === true,
        isRaw: config?.raw === true,
        isByStatus: config?.byStatus === true,
        body: objectOf(schema?.body),
        query: objectOf(schema?.querystring),
      })
    }
  })
  return routes
}

const objectOf = (schema: unknown): object | null =>
  typeof schema === 'object' && schema !== null ? schema : null
