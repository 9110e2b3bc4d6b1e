import type { MessageCategory } from '../../../contract/message.ts'

/** How an event of DOMAIN 5 becomes a message. */
export interface EventRule {
  /** `entity`: the category depends on the entity of the record. */
  readonly category: MessageCategory | 'entity'
  /** Cannot be switched off, and is not delayed by quiet hours. */
  readonly fixed?: true
  /** Not delayed by quiet hours, but can be switched off. */
  readonly urgent?: true
  /** Off by default. */
  readonly off?: true
  /** Unread ones of the same day are merged into one message per receiver. */
  readonly digest?: true
}

/** All events of which people are notified (DOMAIN 5). The texts are `message.<event>.title` and `.content` in the text catalogue. */
const EVENTS = {
  'record.assigned': { category: 'entity' },
  'record.taken': { category: 'entity', digest: true },
  'record.recycled': { category: 'entity', digest: true },
  'record.recycle_soon': { category: 'entity', digest: true },
  'record.submit': { category: 'approval', fixed: true },
  'record.next': { category: 'approval', fixed: true },
  'record.approved': { category: 'approval', fixed: true },
  'record.rejected': { category: 'approval', fixed: true },
  'record.withdrawn': { category: 'approval', fixed: true },
  'record.urge': { category: 'approval', fixed: true },
  'record.ask': { category: 'approval', fixed: true },
  'record.reply': { category: 'approval', fixed: true },
  'record.cc': { category: 'approval' },
  'approval.delegated': { category: 'approval', fixed: true },
  'collaborator.added': { category: 'entity' },
  'collaborator.removed': { category: 'entity' },
  'duplicate.requested': { category: 'entity' },
  'duplicate.answered': { category: 'entity' },
  'follow.mention': { category: 'follow' },
  'follow.comment': { category: 'follow' },
  'follow.like': { category: 'follow' },
  'follow.reply': { category: 'follow' },
  'follow.by_other': { category: 'follow' },
  'follow.due': { category: 'follow' },
  'follow.overdue': { category: 'follow' },
  'follow.none': { category: 'follow' },
  'todo.due': { category: 'todo', urgent: true },
  'todo.assigned': { category: 'todo' },
  'todo.done': { category: 'todo' },
  'lead.converted': { category: 'lead' },
  'lead.invalid': { category: 'lead' },
  'bussiness.stage': { category: 'bussiness' },
  'bussiness.won': { category: 'bussiness' },
  'bussiness.lost': { category: 'bussiness' },
  'bussiness.overdue': { category: 'bussiness' },
  'contract.submit': { category: 'approval', fixed: true },
  'contract.next': { category: 'approval', fixed: true },
  'contract.approved': { category: 'approval', fixed: true },
  'contract.rejected': { category: 'approval', fixed: true },
  'contract.withdrawn': { category: 'approval', fixed: true },
  'contract.void': { category: 'approval', fixed: true },
  'contract.urge': { category: 'approval', fixed: true },
  'contract.ask': { category: 'approval', fixed: true },
  'contract.reply': { category: 'approval', fixed: true },
  'contract.cc': { category: 'approval' },
  'contract.ending': { category: 'contract' },
  'plan.due': { category: 'payment' },
  'plan.overdue': { category: 'payment' },
  'payment.submit': { category: 'approval', fixed: true },
  'payment.next': { category: 'approval', fixed: true },
  'payment.approved': { category: 'approval', fixed: true },
  'payment.rejected': { category: 'approval', fixed: true },
  'payment.withdrawn': { category: 'approval', fixed: true },
  'payment.void': { category: 'approval', fixed: true },
  'payment.urge': { category: 'approval', fixed: true },
  'payment.ask': { category: 'approval', fixed: true },
  'payment.reply': { category: 'approval', fixed: true },
  'payment.cc': { category: 'approval' },
  'customer.merged': { category: 'customer' },
  'contact.birthday': { category: 'customer' },
  'import.done': { category: 'system', fixed: true },
  'export.ready': { category: 'system', fixed: true },
  'pool.new': { category: 'entity', off: true, digest: true },
  'account.login_new_device': { category: 'system', fixed: true },
  'account.password': { category: 'system', fixed: true },
  'account.role': { category: 'system', fixed: true },
  'changeset.asked': { category: 'system', fixed: true },
  'changeset.published': { category: 'system', fixed: true },
  'changeset.rejected': { category: 'system', fixed: true },
  'changeset.failed': { category: 'system', fixed: true },
  'page.taken_back': { category: 'system', fixed: true },
  'report.week': { category: 'system' },
  'report.sent': { category: 'system' },
  'team.remind': { category: 'todo', fixed: true },
  'tenant.second_off': { category: 'system', fixed: true },
  'tenant.notice': { category: 'notice' },
} as const satisfies Readonly<Record<string, EventRule>>

export type MessageEvent = keyof typeof EVENTS

/** Events by name. */
export const EVENT_RULES: Readonly<Record<MessageEvent, EventRule>> = EVENTS

/** True for a name of the catalogue. */
export function isMessageEvent(name: string): name is MessageEvent {
  return Object.hasOwn(EVENTS, name)
}

/** Whether somebody with these events switched off receives one. */
export function isSubscribed(event: MessageEvent, switched: readonly string[]): boolean {
  const { fixed, off } = EVENT_RULES[event]
  return fixed === true || (off === true) === switched.includes(event)
}
