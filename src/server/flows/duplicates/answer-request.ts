import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MessageLink } from '../../../contract/message.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/records/announce.ts'
import { saveTeam, teamsOf } from '../../kernel/records/team.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

interface Request {
  readonly category: 'customer' | 'lead'
  readonly content: string
  readonly sender_id: string
  readonly link: MessageLink
}

/**
 * The owner answers a request for collaboration in the message (DOMAIN 5): the sender becomes a write collaborator, or is told
 * that the request was declined. Each request is answered once.
 *
 * @param body  `id` of the message, `agree`
 * @throws Refusal 404 for a message that is not an open request to the caller, 405 if they no longer own the record
 */
export async function answerRequest(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const agree = body.agree === true
  const answerText = text(agree ? 'duplicate.agreed' : 'duplicate.refused')
  const { rows } = await sql<Request>`update message
    set event = 'duplicate.answered', read_at = coalesce(read_at, ${now}), content = left(${answerText} || content, 300)
    where tenant_id = ${caller.tenantId} and id = ${String(body.id ?? '')} and receiver_id = ${caller.userId}
      and event = 'duplicate.requested' and deleted_at is null
    returning category, content, sender_id, link`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { category: entity, sender_id: userId } = found
  const id = found.link.query.id ?? ''
  if (agree) await saveTeam(teamsOf(entity), { id, members: [{ userId, level: 'write' }] }, ctx)
  else
    await announce(
      { event: 'duplicate.answered', to: userId, entity, ids: [id], params: { by: caller.name } },
      ctx,
    )
  return { data: { agree }, recordId: id, detail: { agree, userId } }
}
