import { sql } from 'kysely'
import { indexedFields } from '../../../src/model/indexed-fields.ts'
import { kindOf } from '../../../src/model/kinds/index.ts'
import type { MergedModule } from '../../../src/model/merge-module.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { tableOf } from '../../../src/server/kernel/model/stored.ts'

/** Modules whose records may be in pools, and are then left out of lists of owned records; own modules say so themselves. */
const POOLED: ReadonlySet<string> = new Set(['customer', 'lead', 'bussiness', 'contact'])

/** Compares the rows that a module's narrow tables should have, computed here from `ext`, with the actual ones; empty if they are equal. */
export async function mirrorFaults(
  database: Database,
  tenantId: string,
  module: MergedModule,
): Promise<readonly string[]> {
  const table = tableOf(module)
  const isPooled =
    POOLED.has(module.name) || (module.origin === 'tenant' && module.behaviours.includes('pool'))
  return database.system(async (trx) => {
    const { rows: records } = await sql<{
      id: string
      ext: Record<string, unknown>
      owner_id: string | null
    }>`select id, ext, ${table === 'product' ? sql`null::text` : sql`owner_id`} as owner_id from ${sql.table(table)}
      where tenant_id = ${tenantId} and deleted_at is null ${table === 'record' ? sql`and module = ${module.name}` : sql``}`.execute(
      trx,
    )
    const wanted = indexedFields(module).flatMap((one) => {
      const { kind } = module.fields.find(({ name }) => name === one.field) ?? { kind: 'text' as const }
      return records.flatMap(({ id, ext, owner_id }) => {
        const value = ext[one.field] ?? null
        const words = (Array.isArray(value) ? value : [value]).filter((word) => word !== null && word !== '')
        const shown = words.map((word) => writtenAs(kindOf(kind).stored, word))
        return (shown.length === 0 && one.isSorted ? ['none'] : shown).map(
          (word, place) =>
            `${one.field} ${id} ${place} ${word} ${owner_id} ${owner_id !== null || !isPooled}`,
        )
      })
    })
    const { rows: found } = await sql<{ row: string }>`
      select concat_ws(' ', field, record_id, place, coalesce(value, 'none'), coalesce(owner_id, 'null'), is_held::text) as row from (
        select tenant_id, module, field, value, record_id, place, owner_id, is_held from own_text union all
        select tenant_id, module, field, value::text, record_id, place, owner_id, is_held from own_number union all
        select tenant_id, module, field, to_char(value, 'YYYY-MM-DD HH24:MI:SS'), record_id, place, owner_id, is_held from own_moment union all
        select tenant_id, module, field, value, record_id, place, owner_id, is_held from own_ref
      ) own where tenant_id = ${tenantId} and module = ${module.name}`.execute(trx)
    const have = new Set(found.map(({ row }) => row))
    const want = new Set(wanted)
    return [
      ...wanted.filter((row) => !have.has(row)).map((row) => `missing: ${row}`),
      ...[...have].filter((row) => !want.has(row)).map((row) => `too much: ${row}`),
    ]
  })
}

function writtenAs(stored: string, word: unknown): string {
  if (stored === 'day') return `${word} 00:00:00`
  return String(word)
}
