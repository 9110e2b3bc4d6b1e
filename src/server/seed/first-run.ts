import type { Database } from '../db/database.ts'
import { seedAccounts } from './accounts.ts'

/** Fills an empty database with the demo tenants; does nothing when there is any tenant. Never called in production. */
export async function seedFirstRun(database: Database): Promise<boolean> {
  return database.system(async (trx) => {
    const tenant = await trx.selectFrom('tenant').select('id').limit(1).executeTakeFirst()
    if (tenant !== undefined) return false
    await seedAccounts(trx)
    return true
  })
}
