import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { STATISTIC_KEYS } from '../../../contract/home.ts'
import type { StatDetail, StatRow } from '../../../contract/stats.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { type LinkEntity, linkIn, linkTo, POOL_PAGES, urlOf } from '../../kernel/notices/links.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { seenContent } from '../../modules/follows/seen-content.ts'
import { fieldDimension } from './field-dimension.ts'
import { figurePart, groupOf } from './figure-part.ts'
import { ownStatDetail } from './own-detail.ts'
import { countedModule } from './own-numbers.ts'
import { readQuestion } from './question.ts'
import { type FigurePart, KINDS, type RowEntity } from './row-kinds.ts'
import { countPerSpan } from './trend.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly sub: string | null
  readonly at: Date | string
  readonly opens: Screen
  readonly open_id: string
  readonly owner_name: string | null
  readonly visible: boolean
  /** Only of a follow-up. */
  readonly in_pool?: boolean
  /** Only in a statistic about money. */
  readonly value?: number | null
}

/**
 * POST /mini/stats/detail: the rows behind a tile, by the tile's own rule (DOMAIN 3). Counted rows that the caller may not
 * see appear without their names, and say that they are not the caller's to see.
 *
 * @param body  `key`, or `dimension` and `value` for a group of the analysis or a part of another figure (a rank's with `metric`, `by`); `period`,
 * `scope`, `from`, `to`, `cursor`, `limit`
 */
export async function statDetail(body: JsonObject, ctx: CallContext): Promise<StatDetail> {
  const module = countedModule(body.key, ctx)
  const page = pageOf(body)
  if (module !== undefined) return ownStatDetail(module, body, page, ctx)
  const dimension = fieldDimension(body.dimension, ctx)
  if (dimension?.module.origin === 'tenant')
    return ownStatDetail(dimension.module, body, page, ctx, { dimension, value: groupOf(body.value) })
  const { question, cacheKey } = await readQuestion(body, ctx)
  const part = await figurePart(body, question)
  const { entity, where, value } = part
  const { from, columns, person, opens, sort, visible } = part.kind ?? KINDS[entity]
  const [screen, openId] = opens
  const spec: ListSpec = {
    entity: `stat-${entity}`,
    row: 'x',
    from: () => sql`${from} left join membership m on m.tenant_id = x.tenant_id and m.user_id = ${person}`,
    columns: () => sql`x.id, ${columns}, ${screen} as opens, ${openId} as open_id, m.name as owner_name,
      ${value === undefined ? sql`` : sql`${value} as value,`} ${visible(ctx)} as visible`,
    visible: () => where,
    filters: {},
    sorts: {},
    defaultSort: [{ by: sort, dir: 'desc' }],
    tabs: { all: { where: () => sql<boolean>`true` } },
    defaultTab: 'all',
  }
  const rest = { where: sql<boolean>`true`, key: `${part.id}/${cacheKey}` }
  const { list, nextCursor, hasMore } = await openList<Row>(spec, readListRequest(page), ctx, rest).page(
    (row) => drawRow(entity, row, ctx),
  )
  const counted = await countPart(part, ctx)
  const key = STATISTIC_KEYS.find((it) => it === part.id) ?? ''
  const isKnown = part.unit !== 'money' || counted.count > 1 || isShownOf(entity, 'value', ctx)
  const [number = 0] =
    key === '' || !isKnown
      ? [isKnown || counted.count === 0 ? counted.number : null]
      : await countPerSpan(key, [question.span], question)
  const { label, unit } = part
  return { list: list as readonly StatRow[], nextCursor, hasMore, key, label, unit, ...counted, number }
}

/** The paging parameters of a call, without those of the statistic. */
function pageOf(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !OF_FIGURE.has(name)))
}
const OF_FIGURE = new Set(['key', 'dimension', 'value', 'metric', 'by', 'period', 'scope', 'from', 'to'])

type Counted = Pick<StatDetail, 'number' | 'count' | 'customers'>

async function countPart({ entity, where, number }: FigurePart, { trx }: CallContext): Promise<Counted> {
  const customers = entity === 'follow' ? sql`count(distinct x.customer_id)` : sql`null::int`
  const { rows } = await sql<Counted>`select count(*) as count, ${number ?? sql`count(*)`} as number,
    ${customers} as customers from ${sql.table(entity)} x where ${where}`.execute(trx)
  return rows[0] ?? { number: 0, count: 0, customers: null }
}

/** Whether the caller sees in full what rows of a kind show there. */
function isShownOf(entity: RowEntity, part: 'sub' | 'value', { caller }: CallContext): boolean {
  const [module, field] = KINDS[entity].shows?.[part] ?? []
  return module === undefined || field === undefined || isClear(caller, module, field)
}

function drawRow(entity: RowEntity, row: Row, ctx: CallContext): StatRow {
  const { visible, opens, open_id, title, sub, in_pool, ...shown } = row
  const said = in_pool === undefined ? sub : seenContent(sub ?? '', { in_pool }, ctx.caller)
  const isShown = (part: 'sub' | 'value'): boolean => isShownOf(entity, part, ctx)
  const value = row.value === undefined || isShown('value') ? {} : { value: null }
  return {
    ...(wireRow({ ...shown, ...value }, ctx.zone) as unknown as StatRow),
    entity,
    title: visible ? title : maskName(title),
    sub: visible && isShown('sub') ? (said ?? '') : '',
    owner_name: row.owner_name,
    ...(visible ? { url: screenOf(opens, open_id) } : { url: '', why: text('stats.row-closed') }),
  }
}

/** A kind of record, or that of one in a pool. */
type Screen = LinkEntity | 'customer_pool' | 'lead_pool'

function screenOf(opens: Screen, id: string): string {
  if (opens === 'customer_pool') return urlOf(linkIn(POOL_PAGES.customer, [id]))
  if (opens === 'lead_pool') return urlOf(linkIn(POOL_PAGES.lead, [id]))
  return urlOf(linkTo(opens, [id]))
}
