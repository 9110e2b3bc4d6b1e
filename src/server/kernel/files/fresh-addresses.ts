import type { FastifyInstance } from 'fastify'
import { isSignedByUs, signFileUrl } from './signed-url.ts'

const ADDRESS =
  /\/engine\/web\/file\/([\w-]{1,64})\?tenant=([\w-]{1,64})&until=(\d{1,16})(?:&session=([\w-]{1,64}))?&sign=([\w-]{43})(?![\w-])/g

declare module 'fastify' {
  interface FastifyInstance {
    /** Ids of the files in a text whose addresses were signed by us for the tenant, at any time and for any session. */
    readonly signedFilesIn: (text: string, tenantId: string) => ReadonlySet<string>
  }
}

/**
 * Replaces the addresses of files in every answer by ones that are valid from now for the caller: records store the address with which a file was
 * uploaded, which soon expires and was made for another session. Only an address that we signed before, for the caller's own tenant, is signed again.
 */
export function addFreshAddresses(
  app: FastifyInstance,
  { secret, now }: { readonly secret: string; readonly now: () => number },
): void {
  app.decorate('signedFilesIn', (written: string, tenantId: string) => {
    const parts = [...written.matchAll(ADDRESS)].map(
      ([, id = '', tenant = '', until = '', session, sign = '']) => ({
        id,
        tenant,
        until,
        session,
        sign,
      }),
    )
    return new Set(
      parts.filter((one) => one.tenant === tenantId && isSignedByUs(one, secret)).map(({ id }) => id),
    )
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { caller } = request
    if (typeof payload !== 'string' || caller === null || !payload.includes('/engine/web/file/'))
      return done(null, payload)
    const fresh = payload.replace(
      ADDRESS,
      (address, id: string, tenant: string, until: string, session: string | undefined, sign: string) =>
        tenant === caller.tenantId && isSignedByUs({ id, tenant, until, session, sign }, secret)
          ? signFileUrl(caller, id, secret, now())
          : address,
    )
    done(null, fresh)
  })
}
