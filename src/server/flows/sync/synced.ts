import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { SyncChanges, SyncEntity } from '../../../contract/sync.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { offlineFormulas } from '../../kernel/fields/own-formulas.ts'
import { asPagesName } from '../../kernel/fields/record-in-rules.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { findOwned, wireRecord } from '../../kernel/records/find-record.ts'
import { maskOf } from '../../kernel/visibility/masking.ts'
import { BUSSINESS_LIST } from '../../modules/bussiness/list-spec.ts'
import { CONTACT_LIST } from '../../modules/contacts/list-spec.ts'
import { shownContact } from '../../modules/customers/contacts.ts'
import { CUSTOMER_LIST } from '../../modules/customers/list-spec.ts'
import { ownedFollows } from '../../modules/follows/follow-row.ts'
import { FOLLOW_LIST, FOLLOWED, followedModules } from '../../modules/follows/list-spec.ts'
import { LEAD_LIST } from '../../modules/leads/list-spec.ts'
import { OWN_RECORDS, storedRecords, visibleModules } from '../../modules/own-records/stored-records.ts'
import { readTodos } from '../../modules/todos/find-todo.ts'
import { TODO_LIST } from '../../modules/todos/list-spec.ts'
import { todoRow } from '../../modules/todos/todo-row.ts'
import type { Place } from './places.ts'

/** A record under its id. */
type Found = readonly [id: string, record: SyncChanges['changed'][number]['record']]

type Own = readonly [id: string, record: JsonObject]

/** How one kind of record is synchronised. */
export interface Synced {
  readonly permission: Permission | null
  /** Its list, and the tab that contains all of it. */
  readonly list: ListSpec
  readonly tab: string
  /** The visibility rule, and the keys of its changes (migration 0310). */
  readonly places: (ctx: CallContext) => readonly Place[]
  /**
   * Those of the ids that the caller sees, with the rights and masks of list and detail. Values from other records (names for ids, likes) and from
   * the clock (overdue, actions) are left out, because a copy is updated only when its own row changes.
   */
  readonly records: (ids: readonly string[], ctx: CallContext) => Promise<readonly Found[]>
}

export const SYNCED: Readonly<Record<SyncEntity, Synced>> = {
  customer: owned('customer', CUSTOMER_LIST),
  contact: {
    permission: 'contact:view',
    list: CONTACT_LIST,
    tab: 'all',
    places: () => ['customer'],
    records: async (ids, ctx) => {
      const records = (await findOwned('contact', ids, ctx)).map((found): Own => {
        const mask = maskOf(ctx.caller, 'contact', found)
        const { customer_name, ...record } = shownContact(wireRecord('contact', found, ctx), mask)
        return [found.id, record]
      })
      return withFormulas('contact', records, ctx)
    },
  },
  lead: owned('lead', LEAD_LIST),
  bussiness: owned('bussiness', BUSSINESS_LIST),
  record: {
    permission: null,
    list: OWN_RECORDS,
    tab: 'all',
    places: visibleModules,
    records: storedRecords,
  },
  follow: {
    permission: 'follow:view',
    list: FOLLOW_LIST,
    tab: 'all',
    places: (ctx) => [...FOLLOWED, ...followedModules(ctx)],
    records: async (ids, ctx) =>
      (await ownedFollows(ids, ctx)).map(
        ({ customer_name, record_title, author_name, avatar, like_count, liked, actions, ...record }) => [
          record.id,
          record,
        ],
      ),
  },
  todo: {
    permission: null,
    list: TODO_LIST,
    tab: 'record',
    places: () => ['person'],
    records: async (ids, ctx) =>
      (await readTodos(ids, ctx)).map((found) => {
        const { assignee_name, overdue, section, target_note, actions, ...record } = todoRow(found, ctx)
        return [found.id, record]
      }),
  },
}

function owned(entity: PoolEntity, list: ListSpec): Synced {
  return {
    permission: `${entity}:view`,
    list,
    tab: 'all',
    places: () => [entity],
    records: async (ids, ctx) => {
      const records = await findOwned(entity, ids, ctx)
      return withFormulas(
        entity,
        records.map((found): Own => [found.id, wireRecord(entity, found, ctx)]),
        ctx,
      )
    },
  }
}

/** The copy contains the values of the tenant's own formulas, computed by the code of the form; they share one budget. */
const withFormulas = (
  entity: string,
  records: readonly Own[],
  { model, caller }: CallContext,
): readonly Own[] =>
  spending(createBudget(), () =>
    records.map(([id, record]) => [
      id,
      { ...record, ...asPagesName(offlineFormulas(model.modules.get(entity), record, caller)) },
    ]),
  )
