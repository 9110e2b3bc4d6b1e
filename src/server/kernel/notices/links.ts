import type { MessageCategory, MessageLink } from '../../../contract/message.ts'
import { pathOf } from '../../../model/derived/parts.ts'
import type { PoolEntity } from '../context/entities.ts'

/** Records a message can be about. */
export type LinkEntity =
  | 'customer'
  | 'contact'
  | 'lead'
  | 'bussiness'
  | 'contract'
  | 'payment'
  | 'plan'
  | 'approval'
  | 'follow'
  | 'todo'
  | 'notice'
  /** A record of an own module; whoever announces it supplies its link ({@link linkToOwn}). */
  | 'record'

/** The screens for one record, and for several. */
const ROUTES: Readonly<Record<LinkEntity, readonly [string, string]>> = {
  customer: ['/pages/customer/my/detail', '/pages/customer/my/index'],
  contact: ['/pages/customer/contact/index', '/pages/customer/contact/index'],
  lead: ['/pages/customer/leads/detail', '/pages/customer/leads/index'],
  bussiness: ['/pages/bussiness/detail', '/pages/bussiness/index'],
  contract: ['/pages/contract/detail', '/pages/contract/index'],
  payment: ['/pages/contract/payment/detail', '/pages/contract/index'],
  plan: ['/pages/contract/detail', '/pages/contract/index'],
  approval: ['/pages/work/approval/detail', '/pages/work/approval/index'],
  follow: ['/pages/customer/my/follow/detail', '/pages/customer/my/index'],
  todo: ['/pages/work/todo/index', '/pages/work/todo/index'],
  notice: ['/pages/my/message/index', '/pages/my/message/index'],
  record: ['/pages/work/index', '/pages/work/index'],
}

/** The screens for one record in a pool, and for the pool. */
export const POOL_PAGES: Readonly<Record<PoolEntity, readonly [string, string]>> = {
  customer: ['/pages/customer/pool/detail', '/pages/customer/pool/index'],
  lead: ['/pages/customer/leads-pool/detail', '/pages/customer/leads-pool/index'],
  bussiness: ['/pages/bussiness/pool/detail', '/pages/bussiness/pool/index'],
}

/** The category of messages about a record. */
export const CATEGORY_OF: Readonly<Record<LinkEntity, MessageCategory>> = {
  customer: 'customer',
  contact: 'customer',
  lead: 'lead',
  bussiness: 'bussiness',
  contract: 'contract',
  payment: 'payment',
  plan: 'payment',
  approval: 'approval',
  follow: 'follow',
  todo: 'todo',
  notice: 'notice',
  record: 'todo',
}

/** True for an entity that has a screen. */
export function isLinkEntity(name: string): name is LinkEntity {
  return Object.hasOwn(ROUTES, name)
}

/** The screen for the records: the detail of one, the list of several. */
export const linkTo = (entity: LinkEntity, ids: readonly string[]): MessageLink => linkIn(ROUTES[entity], ids)

/** The same for records of an own module. */
export const linkToOwn = (module: string, ids: readonly string[]): MessageLink =>
  linkIn([pathOf(module, 'detail'), pathOf(module, 'index')], ids)

/** A quick tab of the list of a kind of record: of the product's, or of an own module. */
export const linkToTab = (of: LinkEntity | { readonly module: string }, tab: string): MessageLink => ({
  route: typeof of === 'string' ? ROUTES[of][1] : pathOf(of.module, 'index'),
  query: { tab },
})

/** The screen for a single record, or for several. @param more  parameters of the latter */
export function linkIn(
  [single, many]: readonly [string, string],
  ids: readonly string[],
  more: MessageLink['query'] = {},
): MessageLink {
  const [id] = ids
  return ids.length === 1 && id !== undefined
    ? { route: single, query: { id } }
    : { route: many, query: more }
}

/** A link as a path with its query, as the client's routes are written. */
export function urlOf(link: MessageLink | null): string {
  if (link === null) return ''
  const query = Object.entries(link.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return query.length === 0 ? link.route : `${link.route}?${query.join('&')}`
}
