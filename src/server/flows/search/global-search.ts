import { type RawBuilder, sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { ENTITY_TEXT, type SalesEntity } from '../../kernel/context/entities.ts'
import { escapeLike } from '../../kernel/lists/filter-sql.ts'
import { clearPhones, digitsOf, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import { isHeldBackInPools, ownKeyword, ownWords } from '../../kernel/lists/own-words.ts'
import { markedIds } from '../../kernel/lists/owned-list.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { text } from '../../kernel/text/text.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isOwnSearchable, isPooled } from '../../kernel/visibility/own-module.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { foldText } from '../../kernel/words/fold-text.ts'
import { normaliseName } from '../../kernel/words/normalise-name.ts'

/** The hits of a keyword in one kind of record. */
export interface SearchGroup {
  /** A product kind, or `m/<module>` for one of the tenant's own. */
  readonly type: string
  readonly title: string
  readonly total: number | '999+'
  readonly list: readonly SearchHit[]
}
interface SearchHit {
  readonly id: string
  readonly title: string
  /** `note` and `number` in one line. */
  readonly sub: string
  /** Its number, company or the person to ask for; null for none. */
  readonly note: string | null
  /** Its phone as the caller sees it, masked or not; null for none. */
  readonly number: string | null
  readonly highlight: string
  readonly route: string
  /** As in its group: a follow-up refers to it by this kind and `id`. */
  readonly type: string
  /** The label of its type. */
  readonly kind: string
  /** A number to call; null if there is none, it is masked, or the record has no owner. */
  readonly phone: string | null
  /** A follow-up may be written on it from here; writing checks again. */
  readonly follow: boolean
}

const MAX_COUNT = 999
/** The type for all of the tenant's own modules. */
const OWN_TYPES = 'm'
/** Number of recently opened records that are listed first among equal hits. */
const MAX_RECENT = 50

interface Row extends MaskableRow {
  type: string
  id: string
  title: string
  sub: string | null
  mobile: string | null
  customer_id: string | null
  total: number
}

/** How one kind of record is searched: which rows, and the text below the title. */
interface Source {
  readonly type: string
  readonly title: string
  /** The entity whose field rights hide a phone number; null if none is shown. */
  readonly masked: SalesEntity | null
  /** Its records can have follow-ups. */
  readonly followed: boolean
  /** A hit lies in a pool: nothing is done with it but there. */
  readonly waits: (row: Row) => boolean
  readonly from: (ctx: CallContext) => RawBuilder<unknown>
  /** Which rows of its table are its records: hits are looked up by the complete key. */
  readonly among: RawBuilder<unknown>
  readonly where: (keyword: string, ctx: CallContext) => RawBuilder<boolean>
  readonly columns: RawBuilder<unknown>
  /** The field that `sub` shows, if a role can hide it. */
  readonly noted?: string
  /** The normalised name. */
  readonly name: RawBuilder<unknown>
  /** The record number and the phone numbers, if there are any. */
  readonly exact: (keyword: string) => RawBuilder<unknown>
  readonly route: (row: Row) => string
}

const isPool = (row: Row) => row.owner_id === null

type SalesSource = Omit<Source, 'type' | 'title' | 'masked' | 'followed' | 'waits' | 'name' | 'among'>

const SOURCES: Readonly<Record<SalesEntity, SalesSource>> = {
  customer: {
    from: () => sql`customer r`,
    where: (keyword, ctx) => sql<boolean>`(${isVisible(ctx.caller, 'customer', 'r')}
      and ${orOwnWords('customer', keywordCondition('r', keyword, 'customer_no', clearPhones(ctx.caller, 'customer', 'r')), keyword, ctx)})`,
    columns: sql`r.name as title, r.customer_no as sub, coalesce(r.mobile, r.telephone) as mobile, r.owner_id,
      r.id as customer_id, ${poolMasks('r')}`,
    exact: (keyword) =>
      sql`r.customer_no = ${foldText(keyword)} or ${digitsOf(keyword)} = any(r.mobile_norm)`,
    route: (row) => `/pages/customer/${isPool(row) ? 'pool' : 'my'}/detail?id=${row.id}`,
  },
  contact: {
    from: () => sql`contact r join customer c on c.tenant_id = r.tenant_id and c.id = r.customer_id`,
    where: (keyword, ctx) => sql<boolean>`(r.tenant_id = ${ctx.caller.tenantId} and r.deleted_at is null
      and c.owner_id is not null and ${isVisible(ctx.caller, 'customer', 'c')}
      and ${orOwnWords('contact', keywordCondition('r', keyword, undefined, clearPhones(ctx.caller, 'contact', 'c')), keyword, ctx)})`,
    columns: sql`r.name as title, c.name as sub, coalesce(r.mobile, r.telephone) as mobile, c.owner_id,
      r.customer_id, ${poolMasks('c')}`,
    exact: (keyword) => sql`${digitsOf(keyword)} = any(r.mobile_norm)`,
    route: (row) => `/pages/customer/my/detail?id=${row.customer_id}`,
  },
  lead: {
    from: () => sql`lead r`,
    where: (keyword, ctx) => sql<boolean>`(${isVisible(ctx.caller, 'lead', 'r')}
      and ${orOwnWords('lead', keywordCondition('r', keyword, undefined, clearPhones(ctx.caller, 'lead', 'r')), keyword, ctx)})`,
    columns: sql`r.name as title, case when r.owner_id is null then null else r.contact_name end as sub,
      coalesce(r.mobile, r.telephone) as mobile, r.owner_id, r.customer_id, ${poolMasks('r')}`,
    noted: 'contact_name',
    exact: (keyword) => sql`${digitsOf(keyword)} = any(r.mobile_norm)`,
    route: (row) => `/pages/customer/${isPool(row) ? 'leads-pool' : 'leads'}/detail?id=${row.id}`,
  },
  bussiness: {
    from: () => sql`bussiness r`,
    where: (keyword, ctx) => sql<boolean>`(${isVisible(ctx.caller, 'bussiness', 'r')}
      and ${orOwnWords('bussiness', keywordCondition('r', keyword, 'bussiness_no'), keyword, ctx)})`,
    columns: sql`r.name as title, r.bussiness_no as sub, null as mobile, r.owner_id, r.customer_id, ${poolMasks('r')}`,
    exact: (keyword) => sql`r.bussiness_no = ${foldText(keyword)}`,
    route: (row) => `/pages/bussiness/${isPool(row) ? 'pool/detail' : 'detail'}?id=${row.id}`,
  },
}
/** The kinds that the caller may search: the product's records, and those of the tenant's own modules. */
function sourcesFor({ caller, model }: CallContext): readonly Source[] {
  const sales = (Object.keys(SOURCES) as readonly SalesEntity[])
    .filter((type) => caller.permissions.has(`${type}:view`))
    .map(
      (type): Source => ({
        ...SOURCES[type],
        type,
        title: text(ENTITY_TEXT[type]),
        masked: type,
        followed: true,
        waits: isPool,
        name: type === 'contact' ? sql`''` : sql`r.name_norm`,
        among: sql`true`,
      }),
    )
  const modules = ownModules(model)
    .filter(({ name }) => holdsPermission(caller.permissions, `${ownRights(name)}:view`))
    .map(ownSource)
  return [...sales, ...modules]
}

const ownSource = (module: MergedModule): Source => ({
  type: `m/${module.name}`,
  title: labelText(module.label),
  masked: null,
  followed: module.behaviours.includes('follow'),
  waits: (row) => isPooled(module, row),
  name: sql`''`,
  from: () => sql`record r`,
  among: sql`r.module = ${module.name}`,
  where: (keyword, ctx) =>
    sql<boolean>`(${isOwnSearchable(ctx.caller, module, 'r')}
      and ${orOwnWords(module.name, keywordInPools(module, keyword, ctx.caller), keyword, ctx)})`,
  columns: sql`r.title, r.record_no as sub, null as mobile, r.owner_id, null as customer_id, null::jsonb as pool_masks`,
  exact: (keyword) => sql`r.record_no = ${foldText(keyword)}`,
  route: ({ id }) => `/pages/m/${module.name}/detail?id=${id}`,
})

/** What pools mask finds a record only while somebody has it. */
function keywordInPools(module: MergedModule, keyword: string, caller: Caller): RawBuilder<boolean> {
  const masked = new Set(
    module.fields.filter((field) => isHeldBackInPools(module, field)).map(({ name }) => name),
  )
  const owned = ownKeyword(module, 'r', keyword, caller)
  if (masked.size === 0) return owned
  const anywhere = ownKeyword(module, 'r', keyword, caller, (name) => masked.has(name))
  return sql<boolean>`(${anywhere} or (r.owner_id is not null and ${owned}))`
}

/** The condition, extended to the tenant's own text fields. */
function orOwnWords(
  entity: string,
  condition: RawBuilder<boolean>,
  keyword: string,
  ctx: CallContext,
): RawBuilder<boolean> {
  const module = ctx.model.modules.get(entity)
  const words = module === undefined ? null : ownWords(module, ctx.model, 'r', rightsEntity(module))
  return words === null ? condition : sql<boolean>`(${condition} or ${words.ofRows(keyword, ctx)})`
}

/**
 * Records by name, pinyin, initials, phone fragment or number (DOMAIN 8.4): exact matches first, then prefixes, then
 * fragments; among equals, starred and recently opened ones first.
 *
 * @param types  which kinds, `m` for those of all own modules; none means all the caller may see
 */
export async function globalSearch(
  keyword: string,
  types: readonly string[],
  limit: number,
  given: CallContext,
): Promise<readonly SearchGroup[]> {
  if (foldText(keyword) === '') return []
  const ctx = await withReach(given)
  const isWanted = (type: string) =>
    types.includes(type) || (types.includes(OWN_TYPES) && type.startsWith(`${OWN_TYPES}/`))
  const wanted = sourcesFor(ctx).filter(({ type }) => types.length === 0 || isWanted(type))
  if (wanted.length === 0) return []
  // One statement for all kinds: a search runs at every keystroke, and each round trip to the database waits for its turn.
  const { rows } = await sql<Row>`select * from (${sql.join(
    wanted.map((source) => bestOf(source, keyword, limit, ctx)),
    sql` union all `,
  )}) hit order by place`.execute(ctx.trx)
  return wanted.flatMap((source) => {
    const { type, title } = source
    const hits = rows.filter((row) => row.type === type)
    const [first] = hits
    if (first === undefined) return []
    const total = first.total > MAX_COUNT ? '999+' : first.total
    return [
      {
        type,
        title,
        total,
        list: hits.map((row) => hitOf(source, row, keyword, ctx)),
      },
    ]
  })
}

/** The first hits of one kind, in order, and their total number. */
function bestOf(source: Source, keyword: string, limit: number, ctx: CallContext): RawBuilder<unknown> {
  const { tenantId } = ctx.caller
  const { type } = source
  const marked = (table: 'star' | 'recent_view') => markedIds(table, type, ctx)
  // Details are looked up only for the hits shown; stars and views are read once, not for each hit.
  return sql`(with found as (
      select r.id, r.py, ${closeness(keyword, source)} as closeness
      from ${source.from(ctx)} where ${source.where(keyword, ctx)} limit ${MAX_COUNT + 1}),
    best as (select f.id, (select count(*) from found) as total, row_number() over (order by f.closeness,
        f.id <> all(array(${marked('star')})),
        array_position(array(${marked('recent_view')} order by viewed_at desc limit ${MAX_RECENT}), f.id), f.py, f.id) as place
      from found f order by place limit ${limit})
    select ${type} as type, best.place, best.total, r.id, ${source.columns} from ${source.from(ctx)}, best
    where r.id = best.id and r.tenant_id = ${tenantId} and ${source.among})`
}

/** Rank: 0 for the exact phone or number, then name prefixes, then initials, then fragments. */
function closeness(keyword: string, { name, exact }: Source): RawBuilder<number> {
  const folded = foldText(keyword)
  const like = (value: string) => `${escapeLike(value)}%`
  return sql<number>`case when ${exact(keyword)} then 0
    when ${name} like ${like(normaliseName(keyword))} or r.search_text like ${like(folded)} then 1
    when r.py_initial like ${like(folded.toLowerCase())} or r.py like ${like(folded.toLowerCase())} then 2 else 3 end`
}

function hitOf(source: Source, row: Row, keyword: string, { caller }: CallContext): SearchHit {
  const { masked, route, type, title, noted = 'sub' } = source
  const whole = { mobile: row.mobile, [noted]: row.sub }
  const shown = masked === null ? whole : maskRow(whole, maskOf(caller, masked, row))
  const { mobile = null, [noted]: sub = null } = shown
  const isOwned = row.owner_id !== null
  return {
    id: row.id,
    title: row.title,
    sub: [sub, mobile].filter(Boolean).join(' · '),
    note: sub,
    number: mobile,
    highlight: keyword,
    route: route(row),
    type,
    kind: title,
    phone: isOwned && mobile === row.mobile ? row.mobile : null,
    follow: source.followed && !source.waits(row) && caller.permissions.has('follow:add'),
  }
}
