import {
  actOnApproval,
  replyToApproval,
  type Subject,
  type Subjects,
  withdrawApproval,
} from '../../kernel/approvals/act.ts'
import type { CodedEntity } from '../../kernel/approvals/entity.ts'
import { entityOf, flowOf, saveFlow } from '../../kernel/approvals/flow.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { lockForApproval, settleContract } from '../../modules/contracts/settle-contract.ts'
import { lockRecord, settleRecord } from '../../modules/own-records/approve-record.ts'
import { settlePayment } from '../../modules/payments/approve-payment.ts'
import { lockPayment } from '../../modules/payments/payment.ts'
import { delegateList, delegateOf, endDelegate, saveDelegate } from './delegate.ts'
import { reassign, remindApprovers } from './keep-going.ts'
import { actOnMany } from './many.ts'
import { APPROVAL_LIST, type ApprovalRow, approvalCards, approvalDetail } from './show-approval.ts'

/** The kinds of approved records, and the effects when an approval ends. */
const CODED: Readonly<Record<CodedEntity, Subject>> = {
  contract: { lock: lockForApproval, settle: settleContract },
  payment: {
    lock: async (id, ctx) => ({ ownerId: (await lockPayment(id, ctx)).payment.owner_id }),
    settle: settlePayment,
  },
}
const RECORD: Subject = { lock: lockRecord, settle: settleRecord }
const SUBJECTS: Subjects = (entity) =>
  entity === 'contract' || entity === 'payment' ? CODED[entity] : RECORD

const words = { type: 'string', minLength: 1, maxLength: 64 } as const
const query = <Name extends string>(name: Name) =>
  ({ querystring: { type: 'object', required: [name], properties: { [name]: words } } }) as const

/** /mini/approval/… (DOMAIN 8.4). Everybody may have submissions, so reading needs no permission; deciding requires `…:approve`. */
export const approvalRoutes: Resource = (app, services) => {
  app.post('/mini/approval/list', (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const list = openList<ApprovalRow>(APPROVAL_LIST, readListRequest(request.body), ctx)
      const page = await list.page((row) => row)
      return { ...page, list: await approvalCards(page.list as readonly ApprovalRow[], ctx) }
    }),
  )
  app.post('/mini/approval/count', (request) =>
    runRead(services, callerOf(request), (ctx) =>
      openList(APPROVAL_LIST, readListRequest(request.body), ctx).counts(Object.keys(APPROVAL_LIST.tabs)),
    ),
  )
  app.get<{ Querystring: { id: string } }>('/mini/approval/detail', { schema: query('id') }, (request) =>
    runRead(services, callerOf(request), (ctx) => approvalDetail(request.query.id, ctx)),
  )
  app.get<{ Querystring: { entity: string } }>(
    '/mini/approval/flow',
    { schema: query('entity'), config: { permission: 'system:flow' } },
    (request) =>
      runRead(services, callerOf(request), (ctx) => flowOf(entityOf(request.query.entity, ctx), ctx)),
  )
  app.get<{ Querystring: { userId?: string } }>(
    '/mini/approval/delegate',
    { schema: { querystring: { type: 'object', properties: { userId: words } } } },
    (request) => runRead(services, callerOf(request), (ctx) => delegateOf(request.query.userId, ctx)),
  )
  app.get('/mini/approval/delegate/list', (request) => runRead(services, callerOf(request), delegateList))
  const write = writer(app, services, 'approval')
  write('/mini/approval/urge', null, remindApprovers)
  write('/mini/approval/reassign', 'system:flow', (body, ctx) => reassign(body, SUBJECTS, ctx))
  write('/mini/approval/delegate/save', null, saveDelegate)
  write('/mini/approval/delegate/end', null, endDelegate)
  write('/mini/approval/act', null, (body, ctx) => actOnApproval(body, SUBJECTS, ctx))
  write('/mini/approval/act/many', null, (body, ctx) => actOnMany(body, SUBJECTS, ctx))
  write('/mini/approval/withdraw', null, (body, ctx) => withdrawApproval(body, SUBJECTS, ctx))
  write('/mini/approval/reply', null, replyToApproval)
  write('/mini/approval/flow/save', 'system:flow', saveFlow)
}
