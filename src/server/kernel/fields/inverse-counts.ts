import { sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { inversesOf } from '../../../model/inverse.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isClear } from '../auth/field-rights.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { extValue, mirrorsOf } from '../lists/ext-sql.ts'
import { idsWith, mirrorValue } from '../lists/mirror.ts'
import { tableOf } from '../model/stored.ts'
import { isOwnVisible } from '../visibility/own-module.ts'
import { isShippedListed } from '../visibility/shipped.ts'

/** How many records refer to a record by a tenant's own field and are visible in the caller's lists, by the tab that lists them. */
export async function inverseCounts(
  module: string,
  id: string,
  { trx, caller, zone, model }: CallContext,
): Promise<Readonly<Record<string, number>>> {
  const inverses = inversesOf(model.modules.values(), module).filter(
    (inverse) =>
      holdsPermission(caller.permissions, `${rightsOf(inverse.module)}:view`) &&
      isClear(caller, rightsEntity(inverse.module), inverse.called),
  )
  if (inverses.length === 0) return {}
  const counts = inverses.map((inverse, i) => {
    const { mirror } = mirrorsOf(inverse.module.name, model)(inverse.field)
    const isNamed =
      mirror === undefined
        ? sql<boolean>`${extValue('r', inverse.field, zone)} = ${id}`
        : sql<boolean>`r.id = any(array(${idsWith(mirror, caller.tenantId, sql<boolean>`${mirrorValue} = ${id}`)}))`
    const isSeen =
      inverse.module.origin === 'tenant'
        ? isOwnVisible(caller, inverse.module, 'r')
        : isShippedListed(caller, inverse.module.name, 'r')
    return sql`(select count(*)::int from ${sql.table(tableOf(inverse.module))} r where ${isSeen}
      and ${isNamed}) as ${sql.ref(`n${i}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(trx)
  return Object.fromEntries(inverses.map(({ tab }, i) => [tab, rows[0]?.[`n${i}`] ?? 0]))
}

const rightsOf = ({ name, origin, permission }: MergedModule) =>
  origin === 'tenant' ? ownRights(name) : (permission ?? name)
