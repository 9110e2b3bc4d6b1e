import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { findHead } from '../../kernel/pages/overrides.ts'
import type { Change } from './item-kind.ts'
import type { Item } from './store.ts'

/** A page as a package brings it. Once somebody edits or merges it in its set, it is no longer the package's. */
export const asPackaged = (change: Change): Change => ({
  ...change,
  content: { ...change.content, packaged: true },
})

/**
 * The version on which a page of a package is based: the current one if a package brought it exactly so, otherwise the last that one did; 0 if none
 * did, or if the current page is the product's.
 */
export async function packagedRevision(
  path: string,
  {
    trx,
    caller,
  }: { readonly trx: CallContext['trx']; readonly caller: Pick<CallContext['caller'], 'tenantId'> },
): Promise<number> {
  const { tenantId } = caller
  const head = (await findHead(trx, tenantId, path))?.revision ?? 0
  if (head === 0) return 0
  const kind: Item['kind'] = 'page'
  const { rows } = await sql<{ revision: number; back: boolean }>`select s.status = 'back' as back,
      coalesce(i.became ->> 'revision', i.undo ->> 'revision')::int as revision
    from change_set_item i join change_set s on s.tenant_id = i.tenant_id and s.id = i.set_id
    where i.tenant_id = ${tenantId} and i.kind = ${kind} and i.name = ${path} and i.content ->> 'packaged' = 'true'
      and s.status in ('published', 'back') and i.undo ->> 'revision' is not null`.execute(trx)
  if (rows.some(({ revision }) => revision === head)) return head
  return Math.max(0, ...rows.filter(({ back }) => !back).map(({ revision }) => revision))
}
