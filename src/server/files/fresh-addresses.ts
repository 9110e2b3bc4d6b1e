import type { FastifyInstance } from 'fastify'
import { isSignedByUs, signFileUrl } from './signed-url.ts'

const ADDRESS =
  /\/engine\/web\/file\/([\w-]{1,64})\?tenant=([\w-]{1,64})&until=(\d{1,16})&sign=([\w-]{43})(?![\w-])/g

/**
 * Every answer carries addresses of files that work from now: records keep the one a file was uploaded with, which is
 * soon too old. Only an address that was ours before, and of the caller's own tenant, is signed anew.
 */
export function addFreshAddresses(
  app: FastifyInstance,
  { secret, now }: { readonly secret: string; readonly now: () => number },
): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    const tenantId = request.caller?.tenantId
    if (typeof payload !== 'string' || tenantId === undefined || !payload.includes('/engine/web/file/'))
      return payload
    return payload.replace(ADDRESS, (address, id: string, tenant: string, until: string, sign: string) =>
      tenant === tenantId && isSignedByUs({ id, tenant, until, sign }, secret)
        ? signFileUrl(tenant, id, secret, now())
        : address,
    )
  })
}
