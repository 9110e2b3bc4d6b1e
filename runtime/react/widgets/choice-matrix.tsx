import { lazy, Suspense } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { useWideWindow } from '../kit/use-is-desktop.ts'
import { chosenOf, countOf, openItems, useMatrixRows, withItems } from '../matrix/rows.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { GroupHead } from '../page/group-head.ts'
import { useEngine, useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/matrix.css'

/** Never loaded by phones. */
const MatrixTable = lazy(() => fetchPart(() => import('../matrix/matrix-table.tsx')))

export function View({ state, body }: ViewProps) {
  const isWide = useWideWindow()
  if (isWide)
    return (
      <Suspense>
        <MatrixTable state={state} />
      </Suspense>
    )
  return (
    <>
      <Total state={state} />
      <GroupHead value={GroupChoices}>{body}</GroupHead>
    </>
  )
}

/** The counts of all groups together. */
function Total({ state }: { readonly state: NodeState }) {
  const t = useText()
  const { rows } = useMatrixRows(state)
  if (rows.length === 0) return null
  return (
    <p className="vf-matrix-total">
      <span>{state.label}</span>
      <span className="vf-quiet">{t('widget.matrix.count', countOf(rows))}</span>
    </p>
  )
}

/** The count in the head of a group, and a button for all its choices. */
function GroupChoices({ group }: { readonly group: NodeState }) {
  const engine = useEngine()
  const t = useText()
  const { rows } = useMatrixRows({ ...group, children: [group.key] })
  const [row] = rows
  if (row === undefined) return null
  const { ticks } = row
  const items = openItems(ticks)
  const isAll = chosenOf(ticks, items) === 'all'
  const { n, all } = countOf(rows)
  return (
    <span className="vf-matrix-group">
      <span className="vf-quiet">{t('widget.matrix.count', { n, all })}</span>
      {items.length === 0 ? null : (
        <button
          type="button"
          className="vf-link"
          aria-label={`${t(isAll ? 'list.pick.none' : 'list.pick.all')} ${row.label}`}
          onClick={() => engine.change(ticks.key, withItems(ticks, items, !isAll))}
        >
          {t(isAll ? 'list.pick.none' : 'list.pick.all')}
        </button>
      )}
    </span>
  )
}
