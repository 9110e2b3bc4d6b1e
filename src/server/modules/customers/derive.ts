import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import { type SearchColumns, searchColumns } from '../../kernel/words/search-columns.ts'
import { completeWebsite, websiteHost } from '../../kernel/words/website-host.ts'

/** The fields from which the computed columns of a customer are derived. */
export interface CustomerSource {
  readonly name: string
  readonly short_name: string | null
  readonly customer_no: string
  readonly mobile: string | null
  readonly telephone: string | null
  readonly website: string | null
  readonly credit_code: string | null
  readonly industry: string | null
}

/** Columns the server computes on every write of a customer. */
export interface DerivedColumns extends SearchColumns {
  website: string | null
  website_host: string | null
  credit_code: string | null
  industry_path: string[]
}

/** Computes the derived columns. @param path  of the customer's industry ({@link industryPath}) */
export function deriveColumns(source: CustomerSource, path: readonly string[]): DerivedColumns {
  const website = source.website === null ? null : completeWebsite(source.website)
  return {
    ...searchColumns({
      kind: 'company',
      name: source.name,
      shortName: source.short_name,
      number: source.customer_no,
      phones: [source.mobile, source.telephone],
    }),
    website,
    website_host: websiteHost(website),
    credit_code: source.credit_code?.toUpperCase() ?? null,
    industry_path: [...path],
  }
}

const MAX_DEPTH = 5

/** The path of an industry in its dictionary, from the root down. */
export async function industryPath(trx: Trx, tenantId: string, value: string | null): Promise<string[]> {
  if (value === null) return []
  const { rows } = await sql<{ value: string }>`
    with recursive up as (
      select value, parent, 0 as depth from dict_item where tenant_id = ${tenantId} and type_key = 'industry' and value = ${value}
      union all
      select d.value, d.parent, up.depth + 1 from dict_item d join up on d.value = up.parent
        where d.tenant_id = ${tenantId} and d.type_key = 'industry' and up.depth < ${MAX_DEPTH}
    ) select value from up order by depth desc`.execute(trx)
  return rows.map((row) => row.value)
}
