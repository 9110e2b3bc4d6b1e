import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatDetail, StatRow } from '../../../contract/stats.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { type FieldDimension, fieldGroupLabel, rowsByField } from './field-dimension.ts'
import { ownRowsOf, tileLabel } from './own-numbers.ts'
import { readQuestion } from './question.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly sub: string | null
  readonly at: Date
  readonly owner_name: string | null
}

/**
 * The records behind the tile of an own module, or behind one of its groups; all of them are visible to the caller.
 *
 * @param group  those with the value in a field
 */
export async function ownStatDetail(
  module: MergedModule,
  body: JsonObject,
  page: JsonObject,
  ctx: CallContext,
  group?: { readonly dimension: FieldDimension; readonly value: string },
): Promise<StatDetail> {
  const key = group === undefined ? ownRights(module.name) : `${group.dimension.id}=${group.value}`
  const { question, cacheKey } = await readQuestion(body, ctx)
  const where =
    group === undefined
      ? ownRowsOf(module, question, 'x')
      : rowsByField(group.dimension, group.value, question)
  const spec: ListSpec = {
    entity: `stat-${key}`,
    row: 'x',
    from: () =>
      sql`record x left join membership m on m.tenant_id = x.tenant_id and m.user_id = coalesce(x.owner_id, x.created_by)`,
    columns: () => sql`x.id, x.title, x.record_no as sub, x.created_at as at, m.name as owner_name`,
    visible: () => where,
    filters: {},
    sorts: {},
    defaultSort: [{ by: { column: 'created_at', type: 'timestamptz', nullable: false }, dir: 'desc' }],
    tabs: { all: { where: () => sql<boolean>`true` } },
    defaultTab: 'all',
  }
  const draw = (row: Row): StatRow => ({
    ...(wireRow(row, ctx.zone) as unknown as StatRow),
    entity: `m/${module.name}`,
    sub: row.sub ?? '',
    url: `/pages/m/${module.name}/detail?id=${row.id}`,
  })
  const part = { where: sql<boolean>`true`, key: `${key}/${cacheKey}` }
  const found = await openList<Row>(spec, readListRequest(page), ctx, part).page(draw)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from record x where ${where}`.execute(ctx.trx)
  const count = rows[0]?.count ?? 0
  return {
    list: found.list as readonly StatRow[],
    nextCursor: found.nextCursor,
    hasMore: found.hasMore,
    key,
    label: group === undefined ? tileLabel(module) : await fieldGroupLabel(group.dimension, group.value, ctx),
    number: count,
    unit: 'count',
    count,
    customers: null,
  }
}
