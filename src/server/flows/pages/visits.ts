import type { CallContext } from '../../kernel/context/call-context.ts'

/** Time without a report from a workbench after which its page counts as closed, in milliseconds; it reports every half minute. */
const GONE_MS = 90_000

/** Records that the caller has the page open. @returns the names of colleagues who have it open as well */
export async function visitPage(path: string, ctx: CallContext): Promise<readonly string[]> {
  const { trx, caller, now } = ctx
  const { tenantId, userId } = caller
  await trx
    .deleteFrom('page_visit')
    .where('tenant_id', '=', tenantId)
    .where('seen_at', '<', new Date(now.getTime() - GONE_MS))
    .execute()
  await trx
    .insertInto('page_visit')
    .values({ tenant_id: tenantId, path, user_id: userId, seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'path', 'user_id']).doUpdateSet({ seen_at: now }),
    )
    .execute()
  return (await findVisitors(ctx)).get(path) ?? []
}

/** Records that the caller has closed the page. */
export async function leavePage(path: string, { trx, caller }: CallContext): Promise<void> {
  await trx
    .deleteFrom('page_visit')
    .where('tenant_id', '=', caller.tenantId)
    .where('path', '=', path)
    .where('user_id', '=', caller.userId)
    .execute()
}

/** Names of the colleagues who have a page open, by its path. */
export async function findVisitors({
  trx,
  caller,
  now,
}: CallContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await trx
    .selectFrom('page_visit as v')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.tenant_id', '=', 'v.tenant_id').onRef('m.user_id', '=', 'v.user_id'),
    )
    .select(['v.path', 'm.name'])
    .where('v.tenant_id', '=', caller.tenantId)
    .where('v.user_id', '<>', caller.userId)
    .where('v.seen_at', '>=', new Date(now.getTime() - GONE_MS))
    .orderBy('m.name')
    .execute()
  const visitors = new Map<string, string[]>()
  for (const { path, name } of rows) visitors.set(path, [...(visitors.get(path) ?? []), name])
  return visitors
}
