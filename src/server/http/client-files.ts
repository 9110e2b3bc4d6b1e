import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { isScriptWorker, SCRIPT_WORKER_POLICY } from '../kernel/security/headers.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * The client as the build left it, packed files included. Names under `assets/` carry a hash and are kept for ever;
 * `index.html` is asked for each time. Without a build (tests of the API alone) nothing is served.
 *
 * @param older  where files of earlier builds are, for apps that were opened then
 */
export async function addClientFiles(
  app: FastifyInstance,
  folder: string,
  older: string | null = null,
): Promise<void> {
  if (!existsSync(folder)) return
  await app.register(fastifyStatic, {
    root: older === null ? folder : [folder, older],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\./.test(path)
      reply.setHeader('cache-control', hashed ? FOR_EVER : 'no-cache')
      if (isScriptWorker(path)) reply.setHeader('content-security-policy', SCRIPT_WORKER_POLICY)
    },
  })
}
