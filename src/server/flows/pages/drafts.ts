import type { Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { wholeText } from '../../kernel/pages/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text as wordsFor } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

/** An unpublished draft. */
export interface PageDraft {
  readonly text: string
  /** The revision it is based on. */
  readonly base: number
  readonly at: string
  /** Identifies this state of it. */
  readonly stamp: string
}

/** A colleague who is editing the same page. */
export interface OtherDraft {
  readonly user: string
  readonly author: string
  readonly base: number
  readonly at: string
}

/** The caller's draft of a page, and other people with drafts of it. */
export async function findDrafts(
  path: string,
  { trx, caller, zone }: CallContext,
): Promise<{ readonly draft: PageDraft | null; readonly others: readonly OtherDraft[] }> {
  const rows = await trx
    .selectFrom('page_draft as d')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.tenant_id', '=', 'd.tenant_id').onRef('m.user_id', '=', 'd.user_id'),
    )
    .select(['d.user_id', wholeText, 'd.base', 'd.stamp', 'd.updated_at', 'm.name as author'])
    .where('d.tenant_id', '=', caller.tenantId)
    .where('d.path', '=', path)
    .orderBy('d.updated_at', 'desc')
    .execute()
  const at = (when: Date): string => dateTimeText(when, zone)
  const mine = rows.find((row) => row.user_id === caller.userId)
  return {
    draft:
      mine === undefined
        ? null
        : { text: mine.text, base: mine.base, at: at(mine.updated_at), stamp: mine.stamp },
    others: rows
      .filter((row) => row !== mine)
      .map(({ user_id, author, base, updated_at }) => ({
        user: user_id,
        author: author ?? '',
        base,
        at: at(updated_at),
      })),
  }
}

/** A colleague's draft, for viewing and merging; null if they have none. */
export async function findDraftOf(
  userId: string,
  path: string,
  { trx, caller }: CallContext,
): Promise<{ readonly text: string; readonly base: number } | null> {
  const row = await trx
    .selectFrom('page_draft')
    .select([wholeText, 'base'])
    .where('tenant_id', '=', caller.tenantId)
    .where('path', '=', path)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export interface NewDraft {
  readonly path: string
  readonly text: string
  readonly base: number
  /** The state it is based on ('' if there was none); absent: any. */
  readonly after?: string
}

/**
 * Saves the caller's draft of a page, replacing the previous state.
 *
 * @returns the stamp of the saved state
 * @throws Refusal 409 with the existing draft, if another window of theirs saved from the same state
 */
export async function saveDraft(draft: NewDraft, ctx: CallContext): Promise<string> {
  const { path, text, base, after } = draft
  const { trx, caller, now } = ctx
  const saved = { text, base, stamp: newId(now.getTime()), updated_at: now }
  const row = await trx
    .insertInto('page_draft')
    .values({ tenant_id: caller.tenantId, user_id: caller.userId, path, ...saved })
    .onConflict((conflict) => {
      const change = conflict.columns(['tenant_id', 'path', 'user_id']).doUpdateSet(saved)
      return after === undefined ? change : change.where('page_draft.stamp', '=', after)
    })
    .returning('stamp')
    .executeTakeFirst()
  if (row !== undefined) return row.stamp
  const { draft: stored } = await findDrafts(path, ctx)
  return refuse(409, 'VERSION_CONFLICT', wordsFor('page.draft.elsewhere'), {
    data: { draft: stored as unknown as Json },
  })
}

/** Deletes a person's draft of a page if it equals what was published; later edits stay. */
export async function dropPublished(
  trx: Trx,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  { path, text }: { readonly path: string; readonly text: string },
): Promise<void> {
  const found = await trx
    .selectFrom('page_draft')
    .select(wholeText)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .executeTakeFirst()
  if (found?.text === text) await dropDraft(trx, { tenantId, userId }, path)
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
