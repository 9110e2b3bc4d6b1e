import { sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import { inversesOf } from '../../../model/inverse.ts'
import type { Asking } from '../asking/asking.ts'
import { ownRights } from '../auth/permissions.ts'
import { extValue } from '../lists/ext-sql.ts'
import { isOwnVisible } from '../visibility/own-module.ts'

/** How many records of own modules name a record and are visible to the caller, by the tab that lists them. */
export async function inverseCounts(
  module: string,
  id: string,
  { trx, caller, zone, model }: Asking,
): Promise<Readonly<Record<string, number>>> {
  const inverses = inversesOf(model.modules.values(), module).filter((one) =>
    holdsPermission(caller.permissions, `${ownRights(one.module.name)}:view`),
  )
  if (inverses.length === 0) return {}
  const counts = inverses.map(
    (one, i) => sql`(select count(*)::int from record r where ${isOwnVisible(caller, one.module, 'r')}
      and ${extValue('r', one.field, zone)} = ${id}) as ${sql.ref(`n${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(trx)
  return Object.fromEntries(inverses.map(({ tab }, i) => [tab, rows[0]?.[`n${i}`] ?? 0]))
}
