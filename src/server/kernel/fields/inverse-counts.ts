import { sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import { inversesOf } from '../../../model/inverse.ts'
import type { Asking } from '../asking/asking.ts'
import { ownRights } from '../auth/permissions.ts'
import { extValue, mirrorsOf } from '../lists/ext-sql.ts'
import { mirrorValue, someValue } from '../lists/mirror.ts'
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
  const counts = inverses.map((one, i) => {
    const { mirror } = mirrorsOf(one.module.name, model)(one.field)
    const isNamed =
      mirror === undefined
        ? sql<boolean>`${extValue('r', one.field, zone)} = ${id}`
        : someValue(mirror, 'r', sql<boolean>`${mirrorValue} = ${id}`)
    return sql`(select count(*)::int from record r where ${isOwnVisible(caller, one.module, 'r')}
      and ${isNamed}) as ${sql.ref(`n${i}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(trx)
  return Object.fromEntries(inverses.map(({ tab }, i) => [tab, rows[0]?.[`n${i}`] ?? 0]))
}
