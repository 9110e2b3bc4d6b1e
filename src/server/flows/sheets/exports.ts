import { sql } from 'kysely'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { FOLLOW_LIST, followColumns } from '../../modules/follows/list-spec.ts'
import { followMask } from '../../modules/follows/seen-content.ts'
import { PLAN_LIST } from '../../modules/plans/plan.ts'
import { isOwnEntity, moduleOfEntity, type OwnEntity, ownExport } from './own-sheets.ts'
import { column } from './sheet-column.ts'
import { type ExportKind, SHEETS } from './sheet-kinds.ts'

/** Records that can be exported but not imported: they are created on other records. */
const MORE = {
  plan: {
    entity: 'plan',
    list: {
      ...PLAN_LIST,
      columns: () => sql`p.*, p.shown_status as status, c.name as customer_name, o.name as owner_name`,
    },
    before: [
      column('customer_name', 'customer.field.name'),
      column('contract_no', 'contract.field.contract_no'),
      column('contract_name', 'contract.field.name'),
    ],
    without: ['contract_id'],
    after: [
      column('received_amount', 'sheet.received', { kind: 'money' }),
      column('owner_name', 'sheet.owner'),
    ],
    shown: (row, caller) => maskRow(row, rightsMask(caller, 'plan')),
  },
  follow: {
    entity: 'follow',
    list: {
      ...FOLLOW_LIST,
      columns: ({ caller }) => sql`${followColumns(caller)}, coalesce(c.name, l.name) as record_name`,
    },
    before: [column('record_name', 'sheet.record'), column('author_name', 'sheet.author')],
    without: ['target_id', 'contact_ids', 'mention_ids', 'audio', 'author_id'],
    // It belongs to a record in a pool: phone numbers in it stay masked (DOMAIN 1.2.5).
    shown: (row, caller) =>
      maskRow(row, followMask(caller, { in_pool: 'in_pool' in row && row.in_pool === true })),
  },
} as const satisfies Readonly<Record<string, ExportKind>>

/** All lists that can be exported. */
export const EXPORTS = { ...SHEETS, ...MORE } satisfies Readonly<Record<string, ExportKind>>
export type ExportEntity = keyof typeof EXPORTS
export const EXPORT_ENTITIES = Object.keys(EXPORTS) as readonly ExportEntity[]

/** The list behind an export, with all filters and sorts of its module. */
export const listOf = ({ list }: ExportKind, ctx: CallContext): ListSpec => describedList(list, ctx)

/** How records are exported; for own modules according to the tenant's current definition. */
export const exportKind = (entity: ExportEntity | OwnEntity, ctx: CallContext): ExportKind =>
  isOwnEntity(entity) ? ownExport(moduleOfEntity(entity, ctx), ctx) : EXPORTS[entity]

/** The module whose permission is required for exporting: plans use that of payments. */
export const mayExport = (entity: ExportEntity): Permission =>
  entity === 'plan' ? 'payment:export' : `${entity}:export`
