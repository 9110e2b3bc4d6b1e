import { APPROVAL_LIST } from '../../../src/server/flows/approvals/show-approval.ts'
import { MESSAGE_LIST } from '../../../src/server/flows/messages/list-spec.ts'
import { POOL_LISTS } from '../../../src/server/flows/pools/pool-list.ts'
import type { ListSpec } from '../../../src/server/kernel/lists/list-spec.ts'
import { BUSSINESS_LIST } from '../../../src/server/modules/bussiness/list-spec.ts'
import { CONTACT_LIST } from '../../../src/server/modules/contacts/list-spec.ts'
import { CONTRACT_LIST } from '../../../src/server/modules/contracts/list-spec.ts'
import { CUSTOMER_LIST } from '../../../src/server/modules/customers/list-spec.ts'
import { FOLLOW_LIST } from '../../../src/server/modules/follows/list-spec.ts'
import { LEAD_LIST } from '../../../src/server/modules/leads/list-spec.ts'
import { PAYMENT_LIST } from '../../../src/server/modules/payments/list-spec.ts'
import { PLAN_LIST } from '../../../src/server/modules/plans/plan.ts'
import { TODO_LIST } from '../../../src/server/modules/todos/list-spec.ts'

/** One list call; `name` describes it in messages of a test. */
export interface ListCall {
  readonly name: string
  readonly path: string
  /** Absent: a GET. */
  readonly body?: Readonly<Record<string, never>> | object
}

const SPECS: Readonly<Record<string, Pick<ListSpec, 'tabs' | 'sorts' | 'defaultTab'>>> = {
  customer: CUSTOMER_LIST,
  contact: CONTACT_LIST,
  lead: LEAD_LIST,
  bussiness: BUSSINESS_LIST,
  contract: CONTRACT_LIST,
  payment: PAYMENT_LIST,
  plan: PLAN_LIST,
  follow: FOLLOW_LIST,
  message: MESSAGE_LIST,
  todo: TODO_LIST,
  approval: APPROVAL_LIST,
  'pool/customer': POOL_LISTS.customer,
  'pool/lead': POOL_LISTS.lead,
  'pool/bussiness': POOL_LISTS.bussiness,
}

/** Sort orders that the screens offer (`schemas/pages`), by list, in addition to the default order of each tab. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  customer: [
    'last_follow_at desc',
    'created_at desc',
    'next_follow_at asc',
    'owner_since desc',
    'level asc',
    'py asc',
  ],
  contact: ['py asc', 'last_follow_at desc', 'created_at desc'],
  lead: ['created_at desc', 'next_follow_at asc', 'last_follow_at desc', 'level asc'],
  bussiness: ['last_follow_at desc', 'amount desc', 'expected_date asc', 'win_rate desc', 'stage_since asc'],
  contract: ['sign_date desc', 'amount desc'],
  'pool/customer': ['pool_entered_at desc', 'level asc', 'last_follow_at desc'],
  'pool/lead': ['pool_entered_at desc', 'level asc', 'last_follow_at desc'],
  'pool/bussiness': ['pool_entered_at desc', 'last_follow_at desc'],
}

/** Every list in every quick tab, and in every order that a screen offers. */
export function listCalls(): readonly ListCall[] {
  return Object.entries(SPECS).flatMap(([name, spec]) => {
    const path = `/mini/${name}/list`
    const byTab = Object.keys(spec.tabs).map((tab) => ({ name: `${name} ${tab}`, path, body: { tab } }))
    const bySort = (OFFERED[name] ?? []).map((sort) => {
      const [field = '', dir = ''] = sort.split(' ')
      return { name: `${name} by ${sort}`, path, body: { sort: [{ field, dir }] } }
    })
    return [...byTab, ...bySort]
  })
}

const SPANS = [
  { field: 'created_at', op: 'rel', value: 'last30d' },
  { field: 'next_follow_at', op: 'rel', value: 'thisWeek' },
] as const
const OWNED = [{ field: 'owner_id', op: 'eq', value: 'u-demo' }, ...SPANS] as const
/** The most used filters, by list. */
const NARROWED: Readonly<Record<string, readonly object[]>> = {
  customer: [
    ...OWNED,
    { field: 'level', op: 'in', value: ['A', 'B'] },
    { field: 'source', op: 'in', value: ['website'] },
    { field: 'stage', op: 'in', value: ['intent'] },
  ],
  lead: [
    ...OWNED,
    { field: 'status', op: 'in', value: [10, 20] },
    { field: 'source', op: 'in', value: ['website'] },
  ],
  bussiness: [...OWNED, { field: 'expected_date', op: 'rel', value: 'thisMonth' }],
  contact: [
    { field: 'owner_id', op: 'eq', value: 'u-demo' },
    { field: 'created_at', op: 'rel', value: 'last30d' },
    { field: 'role', op: 'in', value: ['finance'] },
  ],
  follow: [
    { field: 'author_id', op: 'eq', value: 'u-demo' },
    { field: 'followed_at', op: 'rel', value: 'last30d' },
    { field: 'method', op: 'in', value: ['visit'] },
  ],
  'pool/customer': [{ field: 'level', op: 'in', value: ['A', 'B'] }],
  'pool/lead': [{ field: 'source', op: 'in', value: ['website'] }],
}

/** Lists with one filter of their sheet, with two, or with a keyword. */
export function narrowedCalls(): readonly (ListCall & { readonly body: object })[] {
  return Object.entries(NARROWED).flatMap(([name, filters]) => {
    const together = {
      name: `${name} by two filters`,
      path: `/mini/${name}/list`,
      body: { filters: filters.slice(-2) },
    }
    const path = `/mini/${name}/list`
    const keywords = ['精密', '1234'].map((keyword) => ({
      name: `${name} for ${keyword}`,
      path,
      body: { keyword },
    }))
    const byFilter = filters.map((filter) => ({
      name: `${name} where ${'field' in filter ? filter.field : ''}`,
      path,
      body: { filters: [filter] },
    }))
    return [...byFilter, together, ...keywords]
  })
}
