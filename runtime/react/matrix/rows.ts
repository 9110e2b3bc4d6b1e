import { useMemo } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson } from '../../core/json.ts'
import type { NodeKey } from '../../core/page/page.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { asList } from '../../core/widgets/values.ts'
import { useNodes } from '../page/use-node.ts'

/** A group with its choices: multiple ones in `ticks`, single-choice fields in `ones`. */
export interface MatrixRow {
  readonly key: NodeKey
  readonly label: string
  readonly ticks: NodeState
  readonly ones: readonly NodeState[]
}

/** The groups as rows, and the other children. */
export interface MatrixRows {
  readonly rows: readonly MatrixRow[]
  readonly others: readonly NodeKey[]
}

/** The visible groups of a matrix. */
export function useMatrixRows({ children }: NodeState): MatrixRows {
  const groups = useNodes(children)
  const inner = useMemo(() => groups.flatMap((group) => group.children), [groups])
  const fields = useNodes(inner)
  return useMemo(() => {
    const byKey = new Map(fields.map((field) => [field.key, field]))
    const rows = groups
      .filter(({ hidden }) => !hidden)
      .map(({ key, label, children: keys }) => {
        const inSight = keys.flatMap((child) => byKey.get(child) ?? []).filter(({ hidden }) => !hidden)
        return {
          key,
          label,
          ticks: inSight.find(isTicked),
          ones: inSight.filter((field) => field.node.spec.hasItems === true && !isTicked(field)),
        }
      })
    return {
      rows: rows.flatMap(({ ticks, ...row }) => (ticks === undefined ? [] : [{ ...row, ticks }])),
      others: rows.flatMap(({ key, ticks }) => (ticks === undefined ? [key] : [])),
    }
  }, [groups, fields])
}

const isTicked = ({ node }: NodeState): boolean => node.spec.bounded === 'count'

/** A choice has a column if at least a fifth of the groups, and at least two, have one with its name. */
const SHARE = 1 / 5

/** Names of the choices with a column, in the order in which the groups list them. */
export function columnsOf(rows: readonly Pick<MatrixRow, 'ticks'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { ticks } of rows)
    for (const { label } of ticks.items) counts.set(label, (counts.get(label) ?? 0) + 1)
  const least = Math.max(2, Math.ceil(rows.length * SHARE))
  return [...counts].flatMap(([label, count]) => (count >= least ? [label] : []))
}

/** The items of these fields that can be ticked and unticked. */
export const openItems = (ticks: NodeState): readonly OptionItem[] =>
  ticks.disabled || ticks.readonly ? [] : ticks.items.filter(({ disabled }) => disabled !== true)

/** Whether all, none or some of these items are chosen. */
export function chosenOf(ticks: NodeState, items: readonly OptionItem[]): 'all' | 'some' | 'none' {
  const count = items.filter((item) => isChosen(ticks, item)).length
  return count === 0 ? 'none' : count === items.length ? 'all' : 'some'
}

export const isChosen = ({ value }: NodeState, item: OptionItem): boolean =>
  (asList(value) as readonly Json[]).some((one) => sameJson(one, item.value))

/** The value of a field after these items were ticked or unticked; values it does not offer are kept. */
export function withItems(ticks: NodeState, items: readonly OptionItem[], on: boolean): Json {
  const value = asList(ticks.value) as readonly Json[]
  const isInRow = (one: Json): boolean => items.some((item) => sameJson(item.value, one))
  const others = value.filter((one) => !isInRow(one))
  return on ? [...others, ...items.map((item) => item.value)] : others
}

/** The number of ticked choices and of all choices. */
export function countOf(rows: readonly Pick<MatrixRow, 'ticks'>[]): {
  readonly n: number
  readonly all: number
} {
  const chosen = rows.map(({ ticks }) => ticks.items.filter((item) => isChosen(ticks, item)).length)
  return {
    n: chosen.reduce((sum, count) => sum + count, 0),
    all: rows.reduce((sum, { ticks }) => sum + ticks.items.length, 0),
  }
}
