import { sql } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { offlineFormulas, unseenFormulas } from '../../kernel/fields/own-formulas.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { wireValues } from '../../kernel/model/stored.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { maskValues, rightsMask } from '../../kernel/visibility/masking.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'
import { ROW } from './list-spec.ts'

/** The tenant's own modules that the caller may see. */
export const visibleModules = ({ model, caller }: CallContext): readonly MergedModule[] =>
  ownModules(model).filter(({ name }) => holdsPermission(caller.permissions, `${ownRights(name)}:view`))

/** All records of own modules that the caller sees, for clients that keep a copy. */
export const OWN_RECORDS: ListSpec = {
  entity: 'record',
  row: ROW,
  table: sql`record r`,
  from: () => sql`record r`,
  columns: () => sql`r.id`,
  visible(ctx) {
    const conditions = visibleModules(ctx).map((module) => isOwnVisible(ctx.caller, module, ROW))
    return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`
  },
  filters: {},
  sorts: {},
  defaultSort: [{ by: { column: 'created_at', type: 'timestamptz', nullable: false }, dir: 'desc' }],
  tabs: { all: { where: () => sql<boolean>`true` } },
  defaultTab: 'all',
}

interface Row {
  readonly id: string
  readonly module: string
  readonly ext: JsonObject
}

/** Those of the given records that the caller sees, with module, stored values and formulas; without names of referenced records and without counts. Their formulas share one budget. */
export async function storedRecords(
  ids: readonly string[],
  ctx: CallContext,
): Promise<readonly (readonly [id: string, record: JsonObject])[]> {
  const modules = new Map(visibleModules(ctx).map((module) => [module.name, module]))
  const { rows } =
    await sql<Row>`select r.id, r.module, r.title, r.record_no, r.owner_id, r.owner_dept_id, r.created_by,
      r.created_at, r.updated_at, r.version, r.ext from record r
    where ${OWN_RECORDS.visible(ctx)} and r.id = any(${[...ids]}::text[])`.execute(ctx.trx)
  const stored = ({ ext, ...row }: Row): (readonly [id: string, record: JsonObject])[] => {
    const module = modules.get(row.module)
    if (module === undefined) return []
    const mask = rightsMask(ctx.caller, rightsEntity(module))
    const values = maskValues(wireValues(ext, module.fields), mask)
    const record = { ...values, ...unseenFormulas(module, mask) }
    const formulas = offlineFormulas(module, record, ctx.caller)
    return [[row.id, { ...wireRow(row, ctx.zone), ...values, ...formulas }]]
  }
  return spending(createBudget(), () => rows.flatMap(stored))
}
