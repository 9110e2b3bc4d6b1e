import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'

/** @throws Error for the operator if a demo account can still sign in, because the demo password is public */
export async function refuseDemoAccounts(database: Database): Promise<void> {
  const { rows } = await database.system((trx) =>
    sql<{
      account: string
    }>`select u.account from app_user u where u.is_demo and u.status = 'normal' and exists (
      select 1 from membership m join tenant t on t.id = m.tenant_id
      where m.user_id = u.id and m.status = 'enabled' and m.deleted_at is null and t.status = 'normal')
      order by u.account`.execute(trx),
  )
  if (rows.length === 0) return
  const some = rows.slice(0, 3).map((row) => row.account)
  throw new Error(
    `${rows.length} accounts of the demo data can sign in (${some.join(', ')}${rows.length > 3 ? ', …' : ''}): use another database, disable them, or set ALLOW_DEMO_ACCOUNTS=1`,
  )
}
