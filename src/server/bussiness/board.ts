import { sql } from 'kysely'
import { isObject } from '../../../runtime/core/json.ts'
import type { BoardColumn, BussinessCard } from '../../contract/bussiness.ts'
import { readListRequest } from '../lists/list-request.ts'
import { runList, sumList } from '../lists/run-list.ts'
import type { Asking } from '../records/asking.ts'
import { flowOf } from './flows.ts'
import { BUSSINESS_LIST, type BussinessRow, bussinessCard } from './list-spec.ts'

const CARDS = 20

/**
 * POST /mini/bussiness/board: open opportunities by stage (CRM 1.5), each column with its count, sums and first cards.
 * @param body  a list request, `flowId`, and for the next cards of one column `stageId` with its `cursor`
 */
export async function bussinessBoard(
  body: unknown,
  asking: Asking,
): Promise<{ columns: readonly BoardColumn[] }> {
  const { flowId, stageId, ...rest } = isObject(body) ? body : {}
  const request = { ...readListRequest(rest), limit: CARDS, withTotal: false, withTabs: false }
  const flow = await flowOf(flowId, asking)
  const wanted = flow.stages.filter((stage) => stageId === undefined || stageId === stage.id)
  const open = sql<boolean>`(b.status = 1 and b.flow_id = ${flow.id})`
  const ids = wanted.map((stage) => stage.id)
  const inAny = sql<boolean>`(${open} and b.stage_id = any(${ids}::text[]))`
  const sums = await sumList(BUSSINESS_LIST, request, asking, 'stage_id', ['amount', 'weighted'], inAny)
  const columns: BoardColumn[] = []
  for (const stage of wanted) {
    const extra = {
      where: sql<boolean>`(${open} and b.stage_id = ${stage.id})`,
      key: `${flow.id}/${stage.id}`,
    }
    const draw = (row: BussinessRow) => bussinessCard(row, asking)
    const page = await runList<BussinessRow>(BUSSINESS_LIST, request, asking, draw, extra)
    const { count = 0, amount = 0, weighted = 0 } = sums.find(({ key }) => key === stage.id) ?? {}
    const list = page.list as readonly BussinessCard[]
    columns.push({ stage, count, amount, weighted, list, nextCursor: page.nextCursor })
  }
  return { columns }
}
