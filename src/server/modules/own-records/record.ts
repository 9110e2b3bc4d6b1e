import { sql } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { inverseCounts } from '../../kernel/fields/inverse-counts.ts'
import { formulaValues } from '../../kernel/fields/own-formulas.ts'
import { type Looked, rollupValues } from '../../kernel/fields/own-rollups.ts'
import { namesOf } from '../../kernel/fields/words.ts'
import { wireValues } from '../../kernel/model/stored.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'
import { ROW } from './list-spec.ts'

/** A record of a tenant's own module as the database gives it. */
export interface StoredRecord {
  readonly id: string
  readonly title: string
  readonly record_no: string | null
  readonly owner_id: string | null
  readonly owner_name: string | null
  readonly owner_dept_id: string | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly version: number
  readonly ext: JsonObject
}

/** A record the caller sees; 404 otherwise. @param lock  held until the transaction ends */
export async function findOwnRecord(
  module: MergedModule,
  id: string,
  asking: Asking,
  lock = false,
): Promise<StoredRecord> {
  const { rows } =
    await sql<StoredRecord>`select r.id, r.title, r.record_no, r.owner_id, r.owner_dept_id, r.created_by,
      r.created_at, r.updated_at, r.version, r.ext,
      (select name from membership o where o.tenant_id = r.tenant_id and o.user_id = r.owner_id) as owner_name
    from record r where ${sql.ref(`${ROW}.id`)} = ${id} and ${isOwnVisible(asking.caller, module, ROW)}
    ${lock ? sql`for update of r` : sql``}`.execute(asking.trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('own.not-found'))
}

/** A record on the wire: common columns and the module's fields side by side, names behind ids as `<field>_name`. */
export async function wireRecords(
  module: MergedModule,
  rows: readonly StoredRecord[],
  asking: Asking,
  looked: Looked = 'record',
): Promise<readonly JsonObject[]> {
  const rolled = await rollupValues(
    module,
    rows.map(({ id }) => id),
    asking,
    looked,
  )
  // Formulas are a tenant's own: all of an answer share what one turn of a page may take; those beyond are empty.
  const withFormulas = (values: JsonObject): JsonObject => ({
    ...values,
    ...formulaValues(module, values, asking.caller),
  })
  const plain = spending(createBudget(), () =>
    rows.map(({ ext, ...row }) => ({
      ...wireRow(row, asking.zone),
      ...withFormulas({ ...wireValues(ext as Json, module.fields), ...rolled.get(row.id) }),
    })),
  )
  return namesOf(plain, module, asking)
}

/** What the caller may do with a record. */
export function ownActions(module: MergedModule, caller: Caller): readonly string[] {
  const may = (action: string) => caller.permissions.has(`${ownRights(module.name)}:${action}`)
  const isOwned = module.behaviours.includes('owned')
  return [
    ...(may('edit') ? ['edit'] : []),
    ...(isOwned && may('transfer') ? ['transfer'] : []),
    ...(may('del') ? ['delete'] : []),
  ]
}

/** GET /mini/m/<module>/detail. */
export async function ownDetail(module: MergedModule, id: string, asking: Asking): Promise<JsonObject> {
  const found = await findOwnRecord(module, id, asking)
  const [record = {}] = await wireRecords(module, [found], asking)
  const { rows } = await sql<{ name: string }>`select name from membership
    where tenant_id = ${asking.caller.tenantId} and user_id = ${found.created_by}`.execute(asking.trx)
  return {
    record: { ...record, created_by_name: rows[0]?.name ?? null },
    labels: { owner_name: found.owner_name },
    related: {
      ...(await followCount(module, id, asking)),
      ...(await inverseCounts(module.name, id, asking)),
    },
    actions: [...ownActions(module, asking.caller)],
    moves: movesOf(module, record),
    mask: [],
  }
}

async function followCount(
  { name, behaviours }: MergedModule,
  id: string,
  { trx, caller }: Asking,
): Promise<JsonObject> {
  if (!behaviours.includes('follow')) return {}
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from follow
    where tenant_id = ${caller.tenantId} and record_module = ${name} and record_id = ${id} and deleted_at is null`.execute(
    trx,
  )
  return { follow: rows[0]?.n ?? 0 }
}

/** The moves that are declared for a status. */
export const movesFrom = (
  { moves }: NonNullable<MergedModule['statuses']>,
  from: string,
): readonly string[] => (Object.hasOwn(moves, from) ? (moves[from] ?? []) : [])

/** The statuses a record may go to from where it is. */
function movesOf({ statuses, fields }: MergedModule, record: JsonObject): Json {
  if (statuses === undefined) return []
  const field = fields.find(({ name }) => name === statuses.field)
  const to = movesFrom(statuses, String(record[statuses.field] ?? ''))
  return to.map((value) => ({
    value,
    label: labelText(field?.options?.find((option) => option.value === value)?.label ?? value),
  }))
}
