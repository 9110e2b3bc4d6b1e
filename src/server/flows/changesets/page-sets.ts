import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'
import { type Item, wordsIn } from './store.ts'

/** A set that published a version of a page together with other changes. */
export interface PageSet {
  readonly id: string
  readonly title: string
  /** The version that it published. */
  readonly revision: number
  /** Its other changes, as texts. */
  readonly others: string
  /** It was reverted since: its version lacks the other changes. */
  readonly back: boolean
}

/** The sets that published versions of a page together with other changes, the newest version first. */
export async function setsOfPage(
  path: string,
  {
    trx,
    caller,
  }: { readonly trx: CallContext['trx']; readonly caller: Pick<CallContext['caller'], 'tenantId'> },
): Promise<readonly PageSet[]> {
  const { tenantId } = caller
  const item = await trx
    .selectFrom('change_set_item as i')
    .innerJoin('change_set as s', (join) =>
      join.onRef('s.tenant_id', '=', 'i.tenant_id').onRef('s.id', '=', 'i.set_id'),
    )
    .select(['s.id', 's.title', 's.status', sql<number>`(i.became->>'revision')::int`.as('revision')])
    .where('i.tenant_id', '=', tenantId)
    .where('i.kind', '=', 'page')
    .where('i.name', '=', path)
    // A page that did not change: the set published no version of it.
    .where(sql<boolean>`i.became->>'revision' is not null`)
    .where('s.status', 'in', ['published', 'back'])
    .execute()
  if (item.length === 0) return []
  const others = await trx
    .selectFrom('change_set_item')
    .select(['set_id', 'kind', 'name', 'title', 'words'])
    .where('tenant_id', '=', tenantId)
    .where(
      'set_id',
      'in',
      item.map(({ id }) => id),
    )
    .orderBy('name')
    .execute()
  return item
    .map(({ status, ...set }) => {
      const more = others.filter(
        (other) => other.set_id === set.id && (other.kind !== 'page' || other.name !== path),
      )
      return { ...set, others: more.map(thingWords).join('；'), back: status === 'back' }
    })
    .filter((set) => set.others !== '')
    .sort((a, b) => b.revision - a.revision)
}

function thingWords({ kind, title, words }: Pick<Item, 'kind' | 'title' | 'words'>): string {
  const shownWords = kind === 'page' ? [] : wordsIn(words)
  return shownWords.length === 0
    ? text('changeset.thing', { kind: text(`changeset.kind.${kind}`), title })
    : text('changeset.thing-said', { title, words: shownWords.join('，') })
}

/** {@link setsOfPage} for the wire. */
export const listSetsOfPage = async (path: string, ctx: CallContext): Promise<Json> => ({
  list: (await setsOfPage(path, ctx)).map((one) => ({ ...one })),
})
