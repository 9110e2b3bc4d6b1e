import settings from '../../../../schemas/app.json'
import PROTOCOLS from '../../kernel/auth/protocols.json'
import type { Resource } from '../../kernel/calls/resource.ts'
import { FILE_LIMIT_BYTES } from '../../kernel/files/file-types.ts'

/** Public data before signing in: terms, and the app's settings (DOMAIN 8.2). */
export const appRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { type?: keyof typeof PROTOCOLS } }>(
    '/mini/login/protocol',
    {
      config: { public: true },
      schema: {
        querystring: { type: 'object', properties: { type: { enum: Object.keys(PROTOCOLS) } } },
      },
    },
    async (request) => PROTOCOLS[request.query.type ?? 'privacy'],
  )

  app.get('/mini/app/config', { config: { public: true } }, async () => ({
    features: {},
    limits: { uploadBytes: FILE_LIMIT_BYTES, uploadCount: 9, uploadParallel: 5 },
    minVersion: '1.0.0',
    about: { name: settings.name, copyright: '' },
    cloud: { spaces: services.config.cloudSpaces },
  }))
}
