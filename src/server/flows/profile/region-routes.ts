import type { Json } from '../../../../runtime/core/json.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { etagOf } from '../../kernel/pages/page-version.ts'
import { REGIONS } from '../../kernel/regions/regions.ts'

const ETAG = etagOf(REGIONS as unknown as Json)
const DAY_S = 86_400

/** Provinces, cities and districts: the same for everybody, cached by the browser for a day and then revalidated by hash. */
export const regionRoutes: Resource = (app) => {
  app.get('/engine/web/region/list', async (request, reply) => {
    reply.header('etag', ETAG).header('cache-control', `private, max-age=${DAY_S}`)
    if (request.headers['if-none-match']?.includes(ETAG)) return reply.code(304).send()
    return REGIONS
  })
}
