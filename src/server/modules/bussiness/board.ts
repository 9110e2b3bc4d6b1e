import { sql } from 'kysely'
import { isObject } from '../../../../runtime/core/json.ts'
import type { BoardColumn, BussinessCard } from '../../../contract/bussiness.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { isVisibleOwned } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { flowOf } from './flows.ts'
import { BUSSINESS_LIST, type BussinessRow, bussinessCard } from './list-spec.ts'
import { shownSums } from './shown-sums.ts'

const CARDS = 20
/** From this number of branches on, the rows of a stage are scanned in the order of its index. */
const MANY = 4

/** The list spec of one column of the board. */
const COLUMN: ListSpec = {
  ...BUSSINESS_LIST,
  branches(...args) {
    const branches = BUSSINESS_LIST.branches?.(...args) ?? null
    const [{ caller }] = args
    if (branches === null || branches.each.length < MANY) return branches
    return { each: [{ from: sql`bussiness b`, where: isVisibleOwned(caller, 'bussiness', 'b') }] }
  },
}

/**
 * POST /mini/bussiness/board: open opportunities by stage (DOMAIN 1.5), each column with its count, sums and first cards.
 * @param body  a list request, `flowId`, and for the next cards of one column `stageId` with its `cursor`
 */
export async function bussinessBoard(
  body: unknown,
  given: CallContext,
): Promise<{ columns: readonly BoardColumn[] }> {
  const ctx = await withReach(given)
  const { flowId, stageId, ...rest } = isObject(body) ? body : {}
  const request = { ...readListRequest(rest), limit: CARDS, withTotal: false, withTabs: false }
  const flow = await flowOf(flowId, ctx)
  const wanted = flow.stages.filter((stage) => stageId === undefined || stageId === stage.id)
  const open = sql<boolean>`(b.status = 1 and b.flow_id = ${flow.id})`
  const ids = wanted.map((stage) => stage.id)
  const inAny = sql<boolean>`(${open} and b.stage_id = any(${ids}::text[]))`
  const all = openList(describedList(BUSSINESS_LIST, ctx), request, ctx, { where: inAny, key: flow.id })
  const sums = await all.sums('stage_id', ['amount', 'weighted'])
  const column = describedList(COLUMN, ctx)
  const columns: BoardColumn[] = []
  for (const stage of wanted) {
    const part = {
      where: sql<boolean>`(${open} and b.stage_id = ${stage.id})`,
      key: `${flow.id}/${stage.id}`,
    }
    const draw = (row: BussinessRow) => bussinessCard(row, ctx)
    const page = await openList<BussinessRow>(column, request, ctx, part).page(draw)
    const shown = shownSums(sums.find(({ key }) => key === stage.id) ?? {}, ctx)
    const list = page.list as readonly BussinessCard[]
    if (stage.retired && shown.count === 0) continue
    columns.push({ stage, ...shown, list, nextCursor: page.nextCursor })
  }
  return { columns }
}
