import type { Asking } from '../../kernel/asking/asking.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

/** What somebody is writing and has not published. */
export interface PageDraft {
  readonly text: string
  /** The revision it was begun from. */
  readonly base: number
  readonly at: string
}

/** A colleague who is writing the same page. */
export interface OtherDraft {
  readonly author: string
  readonly base: number
  readonly at: string
}

/** The caller's draft of a page, and who else has one. */
export async function findDrafts(
  path: string,
  { trx, caller, zone }: Asking,
): Promise<{ readonly draft: PageDraft | null; readonly others: readonly OtherDraft[] }> {
  const rows = await trx
    .selectFrom('page_draft as d')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.tenant_id', '=', 'd.tenant_id').onRef('m.user_id', '=', 'd.user_id'),
    )
    .select(['d.user_id', 'd.text', 'd.base', 'd.updated_at', 'm.name as author'])
    .where('d.tenant_id', '=', caller.tenantId)
    .where('d.path', '=', path)
    .orderBy('d.updated_at', 'desc')
    .execute()
  const at = (when: Date): string => dateTimeText(when, zone)
  const mine = rows.find((row) => row.user_id === caller.userId)
  return {
    draft: mine === undefined ? null : { text: mine.text, base: mine.base, at: at(mine.updated_at) },
    others: rows
      .filter((row) => row !== mine)
      .map(({ author, base, updated_at }) => ({ author: author ?? '', base, at: at(updated_at) })),
  }
}

/** Keeps what the caller has written of a page, in place of what he had written before. */
export async function saveDraft(
  draft: { readonly path: string; readonly text: string; readonly base: number },
  { trx, caller, now }: Pick<Asking, 'trx' | 'caller' | 'now'>,
): Promise<void> {
  const { path, text, base } = draft
  await trx
    .insertInto('page_draft')
    .values({ tenant_id: caller.tenantId, user_id: caller.userId, path, text, base, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'path', 'user_id']).doUpdateSet({ text, base, updated_at: now }),
    )
    .execute()
}

export async function dropDraft(
  trx: Trx,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  path: string,
): Promise<void> {
  await trx
    .deleteFrom('page_draft')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .execute()
}
