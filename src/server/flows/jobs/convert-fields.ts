import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'
import { convertPart, heldIn } from '../../kernel/fields/convert-field.ts'
import { MODULE_CHANNEL } from '../../kernel/model/library.ts'

/** Maximum time of one round, in milliseconds: a server that stops waits for it, and the next round continues where it ended. */
const TURN_MS = 10_000
const NOBODY = 'system'

interface Open {
  readonly tenant: string
  readonly module: string
  readonly field: string
}

/**
 * Converts the values of fields whose kind was changed, in parts. Each part is a transaction that stores the progress: a server that is
 * killed loses nothing.
 *
 * @returns how many parts were done
 */
export async function convertFields(database: Database): Promise<number> {
  const until = performance.now() + TURN_MS
  let parts = 0
  for (const field of await openFields(database))
    for (let isOpen = true; isOpen && performance.now() < until; parts += 1)
      isOpen = await part(database, field)
  return parts
}

/** @returns true while there is more */
function part(database: Database, { tenant, module, field }: Open): Promise<boolean> {
  return database.tenant({ tenantId: tenant, userId: NOBODY }, async (trx) => {
    const isOpen = await convertPart(heldIn(module), field, { trx, caller: { tenantId: tenant } })
    if (!isOpen) await database.notify(trx, MODULE_CHANNEL, tenant)
    return isOpen
  })
}

async function openFields(database: Database): Promise<readonly Open[]> {
  const { rows } = await database.system((trx) =>
    sql<Open>`select tenant_id as tenant, module, field from field_conversion
      order by created_at, tenant_id, module, field`.execute(trx),
  )
  return rows
}
