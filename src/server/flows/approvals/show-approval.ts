import { type RawBuilder, sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type {
  ApprovalAction,
  ApprovalCard,
  ApprovalDetail,
  ApprovalEntity,
} from '../../../contract/approval.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { maskedInPools } from '../../../model/followed-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { STATUS_WORDS } from '../../kernel/approvals/announce.ts'
import { isWithdrawable } from '../../kernel/approvals/course.ts'
import { describedIn, entityName, isAmountSeen, tableOf } from '../../kernel/approvals/entity.ts'
import {
  findApproval,
  isAdministrator,
  isParticipant,
  type StoredApproval,
} from '../../kernel/approvals/find-approval.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { beginsWith } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { linkTo } from '../../kernel/notices/links.ts'
import { holdsRight } from '../../kernel/records/member.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { isInScope, isShared, isVisible } from '../../kernel/visibility/predicate.ts'
import { changesOf, factsOf } from './facts.ts'

/** An approval with the data of its card. */
export interface ApprovalRow extends StoredApproval {
  readonly record_no: string | null
  readonly customer_name: string | null
  readonly submitter_name: string | null
  readonly waiting_names: string | null
  readonly is_change: boolean
  readonly question: ApprovalCard['question']
}

const FROM = sql`approval a
  left join payment p on a.entity = 'payment' and p.tenant_id = a.tenant_id and p.id = a.record_id
  left join contract k on k.tenant_id = a.tenant_id
    and k.id = case a.entity when 'contract' then a.record_id else p.contract_id end
  left join lateral (select o.tenant_id, o.module, o.id, o.record_no, o.owner_id, o.ext from record o where o.tenant_id = a.tenant_id
    and o.id = a.record_id and 'm.' || o.module = a.entity offset 0) r on true
  cross join lateral (select coalesce(k.customer_id, r.ext ->> 'customer_id') as customer_id offset 0) about
  left join membership m on m.tenant_id = a.tenant_id and m.user_id = a.submitter_id`
/**
 * Subqueries per row: a join would read all customers, and so would one on all records of modules (`offset 0` keeps them separate). `about` is a
 * separate subquery because row-level security does not use an index for conditions that call functions that are not leakproof (`->>`).
 */
const customerName = (ctx: CallContext) =>
  sql`(select c.name from customer c where c.tenant_id = a.tenant_id and c.id = about.customer_id
    and (${isDealNamed(ctx)} or ${isCustomerNamed(ctx)}))`

/** Whether the caller is told the customer of a contract or payment: they decide about it, or see the customer, or the contract not only in copy. */
const isDealNamed = ({ caller }: CallContext): RawBuilder<boolean> =>
  sql<boolean>`(k.id is not null and (${caller.userId} = any(a.approver_ids) or ${isVisible(caller, 'customer', 'c')}
    or ${isInScope(caller, 'contract', 'k')} or ${isShared(caller, 'contract', 'k', ['read', 'write'])}))`

/**
 * Whether the caller is told the customer of a record of a module: they see that customer or decide about the record, their roles show the field, and
 * no pool masks it.
 */
function isCustomerNamed({ caller, model }: CallContext): RawBuilder<boolean> {
  const shown = ownModules(model).filter((module) => isClear(caller, rightsEntity(module), CUSTOMER_FIELD))
  const masked = shown.filter((module) => maskedInPools(module).has(CUSTOMER_FIELD))
  const named = (modules: readonly MergedModule[]) => sql`${modules.map(rightsEntity)}::text[]`
  return sql<boolean>`(a.entity = any(${named(shown)}) and (r.owner_id is not null or a.entity <> all(${named(masked)}))
    and (${caller.userId} = any(a.approver_ids) or ${isVisible(caller, 'customer', 'c')}))`
}

const CUSTOMER_FIELD = 'customer_id'
/** The latest question or answer, if it is a question. */
const QUESTION = sql`(select case when said.action = 'ask'
      then jsonb_build_object('by', asker.name, 'text', said.opinion) end
    from approval_act said left join membership asker
      on asker.tenant_id = said.tenant_id and asker.user_id = said.user_id
    where a.status = 'running' and said.tenant_id = a.tenant_id and said.approval_id = a.id
      and said.action in ('ask', 'reply') order by said.seq desc limit 1)`
const columnsFor = (
  ctx: CallContext,
) => sql`a.id, a.entity, a.record_id, a.title, a.amount, a.submitter_id, a.status, a.steps, a.step_no,
  a.barred_ids, a.waiting_ids, a.approver_ids, a.submitted_at, a.ended_at, coalesce(p.payment_no, k.contract_no, r.record_no) as record_no,
  (a.entity = 'contract' and k.revision_of is not null or exists (select 1 from record_version v
    where v.tenant_id = r.tenant_id and v.module = r.module and v.record_id = r.id)) as is_change,
  ${QUESTION} as question,
  ${customerName(ctx)} as customer_name, m.name as submitter_name, (select string_agg(w.name, '、' order by w.name) from membership w
    where a.status = 'running' and w.tenant_id = a.tenant_id and w.user_id = any(a.waiting_ids)) as waiting_names`
const SUBMITTED = { column: 'submitted_at', type: 'timestamptz', nullable: false } as const

/**
 * POST /mini/approval/list: approvals that wait for me, that I decided, submitted, or read in copy; for administrators also those that are running
 * and those that are stuck.
 */
export const APPROVAL_LIST: ListSpec = {
  entity: 'approval',
  row: 'a',
  from: () => FROM,
  columns: columnsFor,
  visible: ({ caller }) =>
    sql<boolean>`(a.tenant_id = ${caller.tenantId} and (${isParticipant(caller.userId, 'a')} or ${isAdministrator(caller)}))`,
  filters: {
    entity: { kind: 'code', column: 'entity' },
    status: { kind: 'code', column: 'status' },
    submitter_id: { kind: 'code', column: 'submitter_id' },
    amount: { kind: 'number', column: 'amount' },
    submitted_at: { kind: 'moment', column: 'submitted_at' },
  },
  sorts: { submitted_at: SUBMITTED, amount: { column: 'amount', type: 'numeric', nullable: false } },
  defaultSort: [{ by: SUBMITTED, dir: 'desc' }],
  tabs: {
    todo: {
      where: ({ caller }) =>
        sql<boolean>`(a.status = 'running' and ${[caller.userId]}::text[] <@ a.waiting_ids)`,
    },
    done: {
      where: ({ caller }) => sql<boolean>`a.id in (select d.approval_id from approval_act d
        where d.tenant_id = ${caller.tenantId} and d.user_id = ${caller.userId}
          and d.action in ('approve', 'reject', 'transfer', 'delegate'))`,
    },
    mine: { where: ({ caller }) => sql<boolean>`a.submitter_id = ${caller.userId}` },
    cc: { where: ({ caller }) => sql<boolean>`${[caller.userId]}::text[] <@ a.cc_ids` },
    running: { where: ({ caller }) => sql<boolean>`(a.status = 'running' and ${isAdministrator(caller)})` },
    stuck: {
      where: ({ caller }) => sql<boolean>`(a.status = 'running' and ${isAdministrator(caller)}
        and not exists (select 1 from membership w where w.tenant_id = a.tenant_id and w.user_id = any(a.waiting_ids)
          and w.status = 'enabled' and w.deleted_at is null
          and ${holdsRight('w', sql<string>`a.entity || ':approve'`)}))`,
    },
  },
  defaultTab: 'todo',
  keyword: (keyword, ctx) => sql<boolean>`(position(lower(${keyword}) in lower(a.title)) > 0
    or position(${keyword} in coalesce(${customerName(ctx)}, '')) > 0
    or ${beginsWith(sql`coalesce(p.payment_no, k.contract_no, r.record_no)`, keyword)})`,
}

/** The cards of a page of approvals: they show the changes of a revision, because those are what is decided. */
export function approvalCards(
  rows: readonly ApprovalRow[],
  ctx: CallContext,
): Promise<readonly ApprovalCard[]> {
  return Promise.all(
    rows.map(async (row) =>
      approvalCard(row, row.is_change ? await changesOf(row.entity, row.record_id, ctx) : [], ctx),
    ),
  )
}

function approvalCard(row: ApprovalRow, changes: ApprovalCard['changes'], ctx: CallContext): ApprovalCard {
  const { steps: _s, barred_ids: _b, waiting_ids: _w, approver_ids: _a, step_no: _n, ...shown } = row
  const isSeen = isAmountSeen(row.entity, ctx)
  return {
    ...(wireRow(shown, ctx.zone) as unknown as ApprovalCard),
    amount: isSeen ? row.amount : null,
    amount_text: isSeen ? moneyText(row.amount) : text('record.withheld'),
    entity_name: entityName(row.entity, ctx),
    status_name: text(STATUS_WORDS[row.status]),
    record_url: `${pathOf(row.entity)}?id=${row.record_id}`,
    print_url: `${pathOf(row.entity).replace(/detail$/, 'print')}?id=${row.record_id}`,
    changes,
    actions: approvalActions(row, ctx),
  }
}

/** The page that shows the approved record. */
const pathOf = (entity: ApprovalEntity): string => {
  const module = describedIn(entity)
  return module === null ? linkTo(tableOf(entity), ['']).route : `/pages/m/${module}/detail`
}

/** What the caller may do with an approval now. */
function approvalActions(found: StoredApproval, { caller }: CallContext): ApprovalAction[] {
  if (found.status !== 'running') return []
  const isPending =
    found.waiting_ids.includes(caller.userId) && caller.permissions.has(`${found.entity}:approve`)
  const isMine =
    found.submitter_id === caller.userId && isWithdrawable({ steps: found.steps, at: found.step_no })
  return [
    ...(isPending ? (['approve', 'reject', 'transfer', 'addSign', 'ask'] as const) : []),
    ...(isMine ? (['withdraw'] as const) : []),
    ...(found.submitter_id === caller.userId ? (['urge', 'reply'] as const) : []),
    ...(caller.permissions.has('system:flow') ? (['reassign'] as const) : []),
  ]
}

/** GET /mini/approval/detail: the facts, the steps with their people, and every action so far. */
export async function approvalDetail(id: string, ctx: CallContext): Promise<ApprovalDetail> {
  const { trx, caller, zone } = ctx
  const found = await findApproval(id, ctx)
  const { rows } = await sql<ApprovalRow>`select ${columnsFor(ctx)} from ${FROM}
    where a.tenant_id = ${caller.tenantId} and a.id = ${id}`.execute(trx)
  const people = [...new Set(found.steps.flatMap((step) => step.people))]
  const names = await sql<{ user_id: string; name: string }>`select user_id, name from membership
    where tenant_id = ${caller.tenantId} and user_id = any(${people}::text[])`.execute(trx)
  const nameOf = new Map(names.rows.map((row) => [row.user_id, row.name]))
  const acts =
    await sql<ActRow>`select d.id, d.action, d.user_id, m.name as user_name, t.name as to_user_name,
      d.opinion, d.at
    from approval_act d left join membership m on m.tenant_id = d.tenant_id and m.user_id = d.user_id
    left join membership t on t.tenant_id = d.tenant_id and t.user_id = d.to_user_id
    where d.tenant_id = ${caller.tenantId} and d.approval_id = ${id} order by d.seq`.execute(trx)
  const [row] = rows
  const facts = await factsOf(found.entity, found.record_id, ctx)
  return {
    record: approvalCard(
      row ?? {
        ...found,
        record_no: null,
        customer_name: null,
        submitter_name: null,
        waiting_names: null,
        is_change: false,
        question: null,
      },
      facts.changes,
      ctx,
    ),
    ...facts,
    steps: found.steps.map((step, index) => ({
      name: step.name,
      mode: step.mode,
      state: stateOf(found, index),
      added: step.added === true,
      people: step.people.map((person) => ({
        id: person,
        name: nameOf.get(person) ?? '',
        approved: step.approved.includes(person),
      })),
    })),
    asked: pendingApprovers(found).map((person) => ({ id: person, name: nameOf.get(person) ?? '' })),
    may: `${found.entity}:approve`,
    acts: acts.rows.map((act) => ({
      ...(wireRow(act, zone) as unknown as ApprovalDetail['acts'][number]),
      title: text(`approval.act.${act.action}`),
    })),
    actions: approvalActions(found, ctx),
  }
}

function pendingApprovers({ status, steps, step_no }: StoredApproval): readonly string[] {
  if (status !== 'running') return []
  const people = steps
    .slice(step_no)
    .flatMap((step) => step.people.filter((it) => !step.approved.includes(it)))
  return [...new Set(people)]
}

type ActRow = Omit<ApprovalDetail['acts'][number], 'title' | 'at'> & { readonly at: Date }

function stateOf({ step_no, status }: StoredApproval, index: number) {
  if (index < step_no || status === 'approved') return 'done'
  if (status !== 'running') return 'stopped'
  return index === step_no ? 'current' : 'ahead'
}
