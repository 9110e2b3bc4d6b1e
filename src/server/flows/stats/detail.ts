import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { ANALYSIS_DIMENSIONS, type StatDetail, type StatRow } from '../../../contract/stats.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { rowsOf, type StatEntity, type StatQuestion, statTable } from '../../kernel/lists/stat-rows.ts'
import { linkTo, urlOf } from '../../kernel/notices/links.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { isFollowSeen } from '../../modules/follows/list-spec.ts'
import { groupLabel, rowsOfGroup } from './analysis.ts'
import { ownStatDetail } from './own-detail.ts'
import { countedModule } from './own-numbers.ts'
import { readKey, readQuestion, readWord } from './question.ts'
import { countPerSpan } from './trend.ts'

/** How the rows of a table are shown under a number. */
interface RowKind {
  readonly from: RawBuilder<unknown>
  /** `title`, `sub`, `at`, `owner`, `open_id`. */
  readonly columns: RawBuilder<unknown>
  readonly sort: { readonly column: string; readonly type: 'timestamptz' | 'date'; readonly nullable: false }
  readonly visible: (asking: Asking) => RawBuilder<boolean>
}

const KINDS: Readonly<Record<StatEntity, RowKind>> = {
  customer: {
    from: sql`customer x`,
    columns: sql`x.name as title, x.customer_no as sub, x.created_at as at, x.owner_id as owner, x.id as open_id`,
    sort: { column: 'created_at', type: 'timestamptz', nullable: false },
    visible: ({ caller }) => sql<boolean>`(${isVisible(caller, 'customer', 'x')} and x.owner_id is not null)`,
  },
  bussiness: {
    from: sql`bussiness x left join customer c on c.tenant_id = x.tenant_id and c.id = x.customer_id`,
    columns: sql`x.name as title, c.name as sub, x.created_at as at, x.owner_id as owner, x.id as open_id`,
    sort: { column: 'created_at', type: 'timestamptz', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'bussiness', 'x'),
  },
  follow: {
    from: sql`follow x left join customer c on c.tenant_id = x.tenant_id and c.id = x.customer_id`,
    columns: sql`coalesce(c.name, (select l.name from lead l where l.tenant_id = x.tenant_id and l.id = x.lead_id),
        (select o.title from record o where o.tenant_id = x.tenant_id and o.module = x.record_module and o.id = x.record_id), '') as title,
      x.content as sub, x.followed_at as at, x.author_id as owner, x.id as open_id`,
    sort: { column: 'followed_at', type: 'timestamptz', nullable: false },
    visible: (asking) => isFollowSeen(asking, 'x', 'of a page'),
  },
  contract: {
    from: sql`contract x left join customer c on c.tenant_id = x.tenant_id and c.id = x.customer_id`,
    columns: sql`x.name as title, c.name as sub, x.sign_date as at, x.owner_id as owner, x.id as open_id`,
    sort: { column: 'sign_date', type: 'date', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'contract', 'x'),
  },
  payment: {
    from: sql`payment x join contract k on k.tenant_id = x.tenant_id and k.id = x.contract_id`,
    columns: sql`x.payment_no as title, k.name as sub, x.paid_at as at, x.owner_id as owner, k.id as open_id`,
    sort: { column: 'paid_at', type: 'date', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'contract', 'k'),
  },
}

interface Row {
  readonly id: string
  readonly title: string
  readonly sub: string | null
  readonly at: Date | string
  readonly open_id: string
  readonly owner_name: string | null
  readonly visible: boolean
  readonly value: number | null
}

/**
 * POST /mini/stats/detail: the rows behind a tile, by the tile's own rule (DOMAIN 3). Rows that count but are not the
 * caller's to see are there without their names.
 * @param body  `key`, or `dimension` and `value` for a group of the analysis; `period`, `scope`, `from`, `to`, `cursor`, `limit`
 */
export async function statDetail(body: JsonObject, asking: Asking): Promise<StatDetail> {
  const { key: _k, dimension: _d, value: _v, period: _p, scope: _s, from: _f, to: _t, ...page } = body
  const own = countedModule(body.key, asking)
  if (own !== undefined) return ownStatDetail(own, body, page, asking)
  const { question, asked } = await readQuestion(body, asking)
  const { key, entity, sum, where, label, id } = await countedRows(body, question)
  const kind = KINDS[entity]
  const value = sum === undefined ? sql`null::numeric` : sql.ref(`x.${sum}`)
  const spec: ListSpec = {
    entity: `stat-${entity}`,
    row: 'x',
    from: () => sql`${kind.from} left join membership m on m.tenant_id = x.tenant_id
      and m.user_id = ${sql.ref(entity === 'follow' ? 'x.author_id' : 'x.owner_id')}`,
    columns: () =>
      sql`x.id, ${kind.columns}, m.name as owner_name, ${value} as value, ${kind.visible(asking)} as visible`,
    visible: () => where,
    filters: {},
    sorts: {},
    defaultSort: [{ by: kind.sort, dir: 'desc' }],
    tabs: { all: { where: () => sql<boolean>`true` } },
    defaultTab: 'all',
  }
  const part = { where: sql<boolean>`true`, key: `${id}/${asked}` }
  const { list, nextCursor, hasMore } = await openList<Row>(spec, readListRequest(page), asking, part).page(
    (row) => drawRow(entity, row, asking),
  )
  const customers = entity === 'follow' ? sql`count(distinct x.customer_id)` : sql`null::int`
  const { rows } = await sql<{ count: number; customers: number | null }>`
    select count(*) as count, ${customers} as customers from ${sql.table(entity)} x where ${where}`.execute(
    asking.trx,
  )
  const counted = rows[0] ?? { count: 0, customers: null }
  const [number = 0] = key === '' ? [counted.count] : await countPerSpan(key, [question.span], question)
  return { list: list as readonly StatRow[], nextCursor, hasMore, key, label, number, ...counted }
}

/** The rows that are asked about: of a number, or of a group of the analysis. */
async function countedRows(body: JsonObject, question: StatQuestion) {
  if (body.dimension === undefined || body.dimension === null || body.dimension === '') {
    const key = readKey(body.key)
    return { key, ...statTable(key), where: rowsOf(key, question, 'x'), label: '', id: key }
  }
  const dimension = readWord(body.dimension, ANALYSIS_DIMENSIONS, 'dimension')
  const value = shortWord(body.value)
  const label = await groupLabel(dimension, value, question.asking)
  const sum = undefined
  return {
    key: '' as const,
    sum,
    ...rowsOfGroup(dimension, value, question),
    label,
    id: `${dimension}=${value}`,
  }
}

const VALUE_MOST = 200

function shortWord(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && value.length <= VALUE_MOST
    ? value
    : refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'value' })
}

function drawRow(entity: StatEntity, row: Row, { zone }: Asking): StatRow {
  const { visible, open_id, title, sub, ...shown } = row
  return {
    ...(wireRow(shown, zone) as unknown as StatRow),
    entity,
    title: visible ? title : maskName(title),
    sub: visible ? (sub ?? '') : '',
    owner_name: row.owner_name,
    url: visible ? urlOf(linkTo(entity === 'payment' ? 'contract' : entity, [open_id])) : '',
  }
}
