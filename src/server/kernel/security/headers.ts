import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { Config } from '../config/config.ts'

/** Trusted Types policies that the page may create: the script worker's URL, and html parsed into an inert tree. */
const TRUSTED_TYPES = ['script-worker']

type Origins = Pick<Config, 'cloudOrigins' | 'dataOrigins'>

/** Adds the policy to every answer. It is the same for all, so it is built once. */
export function addHeaders(app: FastifyInstance, origins: Origins): void {
  const headers = headersFor(origins)
  app.addHook('onRequest', (_request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value)
    done()
  })
}

/**
 * The policy of every answer: no inline code, no eval, nothing from other origins.
 *
 * @param origins  allowed besides our own: `cloud` for data and files, `data` for data alone
 */
export function headersFor(origins: Origins): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  const set = helmet(policy(origins))
  set({} as IncomingMessage, response as unknown as ServerResponse, (fault) => {
    if (fault !== undefined) throw fault
  })
  return headers
}

const policy = ({ cloudOrigins, dataOrigins }: Origins): HelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      workerSrc: ["'self'"],
      connectSrc: ["'self'", ...new Set([...cloudOrigins, ...dataOrigins])],
      imgSrc: ["'self'", 'data:', 'blob:', ...cloudOrigins],
      mediaSrc: ["'self'", 'blob:', ...cloudOrigins],
      fontSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: TRUSTED_TYPES,
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'same-origin' },
  // The server is also used over plain HTTP on a local network; a proxy that terminates TLS adds the header.
  strictTransportSecurity: false,
  crossOriginEmbedderPolicy: false,
})

/** A worker has the policy of its own response: the guest has only the engine (HOOKS 1.1). */
export const SCRIPT_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** True for the script worker's file among the client's assets. */
export function isScriptWorker(path: string): boolean {
  return /(?:script-worker|browser-worker)[^/]*\.js(?:\.(?:br|gz))?$/.test(path)
}
