import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'

/** Records of own modules that refer to a merged record now refer to the remaining one. */
export async function repointOwn(
  module: string,
  { gone, stays }: { readonly gone: string; readonly stays: string },
  { trx, caller, model }: CallContext,
): Promise<void> {
  for (const ownModule of ownModules(model))
    for (const { name, kind } of ownModule.fields.filter((field) => field.module === module)) {
      const stored = sql`r.ext -> ${sql.lit(name)}`
      const value =
        kind === 'refs'
          ? sql`(select jsonb_agg(distinct case when one = ${gone} then ${stays} else one end)
              from jsonb_array_elements_text(${stored}) one)`
          : sql`to_jsonb(${stays}::text)`
      await sql`update record r set ext = jsonb_set(r.ext, array[${name}], ${value}), version = r.version + 1
        where r.tenant_id = ${caller.tenantId} and r.module = ${ownModule.name} and jsonb_exists(${stored}, ${gone})`.execute(
        trx,
      )
    }
}
