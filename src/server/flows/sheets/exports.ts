import { sql } from 'kysely'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { maskOf, shownRow } from '../../kernel/visibility/masking.ts'
import { CONTRACT_FIELDS } from '../../modules/contracts/fields.ts'
import { CONTRACT_LIST } from '../../modules/contracts/list-spec.ts'
import { FOLLOW_LIST, followColumns } from '../../modules/follows/list-spec.ts'
import { PAYMENT_FIELDS } from '../../modules/payments/fields.ts'
import { PAYMENT_LIST } from '../../modules/payments/list-spec.ts'
import { type ExportKind, fieldColumns, SHEETS, system } from './columns.ts'
import { isOwnEntity, moduleOfEntity, type OwnEntity, ownExport } from './own-sheets.ts'

const KEPT = [system('owner_name', 'sheet.owner'), system('created_at', 'sheet.created')]

/** Records that only go out as sheets: they come into being by steps that no file stands for. */
const MORE = {
  contract: {
    entity: 'contract',
    list: { ...CONTRACT_LIST, columns: () => sql`k.*, c.name as customer_name, o.name as owner_name` },
    columns: [
      system('customer_name', 'customer.field.name'),
      ...fieldColumns(CONTRACT_FIELDS),
      system('received_amount', 'sheet.received'),
      system('unreceived_amount', 'sheet.unreceived'),
      system('approval_status', 'sheet.approval-status', 'approval_status'),
      system('perform_status', 'contract.field.perform_status', 'perform_status'),
      ...KEPT,
    ],
    shown: (row) => row,
  },
  payment: {
    entity: 'payment',
    list: {
      ...PAYMENT_LIST,
      columns: () =>
        sql`p.*, k.contract_no, k.name as contract_name, c.name as customer_name, o.name as owner_name`,
    },
    columns: [
      system('customer_name', 'customer.field.name'),
      system('contract_no', 'contract.field.contract_no'),
      system('contract_name', 'contract.field.name'),
      ...fieldColumns(PAYMENT_FIELDS),
      system('approval_status', 'sheet.approval-status', 'approval_status'),
      ...KEPT,
    ],
    shown: (row) => row,
  },
  follow: {
    entity: 'follow',
    list: {
      ...FOLLOW_LIST,
      columns: ({ caller }) =>
        sql`${followColumns(caller)}, coalesce(c.name, l.name) as record_name, f.location ->> 'address' as place`,
    },
    columns: [
      system('record_name', 'sheet.record'),
      system('author_name', 'sheet.author'),
      system('followed_at', 'follow.field.followed_at'),
      system('method', 'follow.field.method', 'follow_method'),
      system('result', 'follow.field.result', 'follow_result'),
      system('content', 'follow.field.content'),
      system('next_follow_at', 'follow.field.next_follow_at'),
      system('next_plan', 'follow.field.next_plan'),
    ],
    // It hangs on a record in a pool: what was noted of numbers stays masked (DOMAIN 1.2.5).
    shown: (row, caller) =>
      shownRow(
        row,
        maskOf(caller, 'customer', isInPool(row) ? { owner_id: null } : { owner_id: caller.userId }),
      ),
  },
} as const satisfies Readonly<Record<string, ExportKind>>

/** Everything a list of which can be written to a sheet. */
export const EXPORTS = { ...SHEETS, ...MORE } satisfies Readonly<Record<string, ExportKind>>
export type ExportEntity = keyof typeof EXPORTS
export const EXPORT_ENTITIES = Object.keys(EXPORTS) as readonly ExportEntity[]

/** The list behind an export, with the tenant's own fields to filter and sort by. */
export const listOf = ({ list }: ExportKind, asking: Asking): ListSpec => describedList(list, asking)

/** How a list of them is written to a sheet; those of own modules as the tenant has them now. */
export const exportKind = (entity: ExportEntity | OwnEntity, asking: Asking): ExportKind =>
  isOwnEntity(entity) ? ownExport(moduleOfEntity(entity, asking), asking) : EXPORTS[entity]

/** Who may write a list of them to a sheet. */
export const mayExport = (entity: ExportEntity): Permission => `${entity}:export`

const isInPool = (row: object): boolean => 'in_pool' in row && row.in_pool === true
