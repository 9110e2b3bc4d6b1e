import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance } from 'fastify'
import { isScriptWorker, SCRIPT_WORKER_POLICY } from '../kernel/security/headers.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Serves the client as the build left it, with the compressed files. Names under `assets/` contain a hash and are cached forever; `index.html` is
 * revalidated each time. Without a build (tests of the API alone) nothing is served.
 *
 * @param older  folder with files of earlier builds, for apps that are still open
 */
export async function addClientFiles(
  app: FastifyInstance,
  folder: string,
  older: string | null = null,
): Promise<void> {
  if (!existsSync(folder)) return
  await app.register(async (files) => {
    files.setErrorHandler<FastifyError>((error, _request, reply) => {
      // What the plugin refuses as a path (`..` with a backslash, a zero character) is the name of no file.
      if (NO_FILE.has(error.statusCode ?? 0)) return reply.callNotFound()
      throw error
    })
    await serve(files, folder, older)
  })
}

/** What the plugin answers to paths outside its folder, or of no possible file. */
const NO_FILE: ReadonlySet<number> = new Set([400, 403, 404])

async function serve(app: FastifyInstance, folder: string, older: string | null): Promise<void> {
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
  // A list of roots does not work: the plugin would look for the uncompressed file of the first root in the last one.
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) => {
    const path = `assets/${basename(params['*'])}`
    const isMine = await access(join(folder, path)).then(
      () => true,
      () => false,
    )
    return reply.sendFile(path, isMine ? folder : older)
  })
}
