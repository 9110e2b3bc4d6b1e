import { type RawBuilder, sql } from 'kysely'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import { maskedInPools } from '../../../model/followed-fields.ts'
import { isSearched } from '../../../model/indexed-fields.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import { mirrorKey } from '../model/own-index.ts'
import { halfWidth } from '../words/fold-text.ts'
import { escapeLike } from './filter-sql.ts'
import { keywordCondition } from './keyword-condition.ts'
import type { ListSpec } from './list-spec.ts'

/** A condition that finds rows by a keyword, or their ids. */
export interface OwnWords {
  /** For testing one row after the other. */
  readonly ofRow: (keyword: string, ctx: CallContext) => RawBuilder<boolean>
  /** For all rows at once: reads its mirror, not the records. */
  readonly ofRows: (keyword: string, ctx: CallContext) => RawBuilder<boolean>
}

/** Modules whose records can be in pools, where some of their fields are shown in part. */
const POOLED: ReadonlySet<string> = new Set(['customer', 'lead', 'bussiness', 'contact'])

export const isHeldBackInPools = (module: MergedModule, field: MergedField): boolean =>
  (POOLED.has(module.name) || module.behaviours.includes('pool')) &&
  maskedInPools(module).has(rightName(module, field))

/** The title of a record of an own module: found by the search columns of the record, which have an index. */
const isCalledBy = ({ origin, title }: MergedModule, { name }: MergedField): boolean =>
  origin === 'tenant' && name === title

/**
 * How a keyword finds records by the tenant's own text fields with `search`, in their mirror; null if none is filled. Fields that the
 * caller sees in part or not at all find nothing, and in pools neither do fields that pools mask.
 *
 * @param row     alias of the records
 * @param entity  the entity whose field rights apply
 */
export function ownWords(
  module: MergedModule,
  { mirrored }: Pick<CallContext['model'], 'mirrored'>,
  row: string,
  entity: string,
): OwnWords | null {
  const fields = module.fields.filter(
    (field) =>
      isSearched(field) &&
      !isCalledBy(module, field) &&
      ['ready', 'asked'].includes(mirrored.get(mirrorKey(module.name, field.name)) ?? ''),
  )
  if (fields.length === 0) return null
  const at = (column: string) => sql.ref(`${row}.${column}`)
  const isMasking = fields.some((field) => isHeldBackInPools(module, field))
  /** Rows of the mirror that hold the keyword, of fields that are clear wherever the record lies or not. */
  const held = (keyword: string, { caller }: CallContext, isInPool: boolean) => {
    const clear = fields.filter(
      (field) =>
        isClear(caller, entity, rightName(module, field)) && (!isInPool || !isHeldBackInPools(module, field)),
    )
    return sql`w.tenant_id = ${caller.tenantId} and w.module = ${module.name}
      and w.field = any(${clear.map(({ name }) => name)}::text[])
      and (${sql.join(written(keyword), sql` or `)})`
  }
  /** Own texts are stored as they were typed: a keyword in full width is looked for as it is, and in half width. */
  const written = (keyword: string) =>
    [...new Set([keyword, halfWidth(keyword)])].map(
      (one) => sql`lower(w.value) like ${`%${escapeLike(one.toLowerCase())}%`}`,
    )
  const both = (some: (isInPool: boolean) => RawBuilder<boolean>): RawBuilder<boolean> =>
    isMasking
      ? sql<boolean>`(${some(true)} or (${at('owner_id')} is not null and ${some(false)}))`
      : some(false)
  return {
    ofRow: (keyword, ctx) =>
      both(
        (isInPool) => sql<boolean>`exists (select 1 from own_text w
          where w.record_id = ${at('id')} and ${held(keyword, ctx, isInPool)})`,
      ),
    ofRows: (keyword, ctx) =>
      both(
        (isInPool) => sql<boolean>`${at('id')} = any(array(select w.record_id from own_text w
          where ${held(keyword, ctx, isInPool)}))`,
      ),
  }
}

/**
 * Records of a tenant's own module by a keyword: their name and number, and phone numbers that the caller sees in full.
 * @param isMasked  fields that are shown in part where these records are
 */
export function ownKeyword(
  module: MergedModule,
  row: string,
  keyword: string,
  caller: Caller,
  isMasked: (name: string) => boolean = () => false,
) {
  const phones = module.fields.filter(({ kind, search }) => kind === 'phone' && search === true)
  const isSeen = phones.every(({ name }) => isClear(caller, rightsEntity(module), name) && !isMasked(name))
  return keywordCondition(row, keyword, 'record_no', isSeen ? undefined : 'none')
}

/** The keyword search of a list, extended to own texts. */
export function withOwnWords(
  { keyword, keywordOfRow = keyword }: Pick<ListSpec, 'keyword' | 'keywordOfRow'>,
  words: OwnWords | null,
): Pick<ListSpec, 'keyword' | 'keywordOfRow'> {
  if (words === null || keyword === undefined || keywordOfRow === undefined) return {}
  return {
    keyword: (written, ctx) => sql<boolean>`(${keyword(written, ctx)} or ${words.ofRows(written, ctx)})`,
    keywordOfRow: (written, ctx) =>
      sql<boolean>`(${keywordOfRow(written, ctx)} or ${words.ofRow(written, ctx)})`,
  }
}
