import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
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
    root: folder,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\./.test(path)
      reply.setHeader('cache-control', hashed ? FOR_EVER : 'no-cache')
      if (isScriptWorker(path)) reply.setHeader('content-security-policy', SCRIPT_WORKER_POLICY)
    },
  })
  if (older === null) return
  // Not by a list of roots: there a file that lies unpacked in the first is looked for in the last.
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) => {
    const path = `assets/${basename(params['*'])}`
    const isMine = await access(join(folder, path)).then(
      () => true,
      () => false,
    )
    return reply.sendFile(path, isMine ? folder : older)
  })
}
