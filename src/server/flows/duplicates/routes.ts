import type { DuplicateAnswer, DuplicateQuestion } from '../../../contract/duplicate.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { answerRequest } from './answer-request.ts'
import { requestCollaboration } from './request-collaboration.ts'

const words = { type: ['string', 'null'], maxLength: 200 } as const
const QUESTION = {
  type: 'object',
  additionalProperties: false,
  required: ['entity'],
  properties: {
    entity: { enum: ['customer', 'lead', 'contact'] },
    name: words,
    mobile: words,
    telephone: words,
    creditCode: words,
    website: words,
    excludeId: { type: ['string', 'null'], maxLength: 64 },
    clientToken: words,
  },
} as const

/** POST /mini/duplicate/check, /request and /answer (DOMAIN 8.4, 5); 60 checks per minute and caller. */
export const duplicateRoutes: Resource = (app, services) => {
  app.post<{ Body: DuplicateQuestion }>(
    '/mini/duplicate/check',
    { schema: { body: QUESTION }, config: { limit: 60 } },
    async (request): Promise<DuplicateAnswer> => {
      const caller = callerOf(request)
      requires(caller, `${request.body.entity}:add`)
      const { name, mobile, telephone, creditCode, website, excludeId } = request.body
      const likeness = {
        entity: request.body.entity,
        name: name ?? null,
        phones: [mobile, telephone],
        creditCode: creditCode ?? null,
        website: website ?? null,
        excludeId: excludeId ?? null,
      }
      return runRead(services, caller, (ctx) => findDuplicates(likeness, ctx))
    },
  )
  const write = writer(app, services, 'collaborator')
  write('/mini/duplicate/request', null, requestCollaboration)
  write('/mini/duplicate/answer', null, answerRequest)
}
