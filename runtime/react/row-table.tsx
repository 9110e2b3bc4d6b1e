import { type CSSProperties, useCallback, useContext, useMemo } from 'react'
import type { NodeState } from '../core/engine.ts'
import type { NodeKey } from '../core/page/page.ts'
import { numberOf } from './options.ts'
import { useEngine, useText, WindowScroll } from './page-context.ts'
import { useNode } from './use-node.ts'
import { WidgetView } from './widget-view.tsx'
import { Windowed } from './windowed.tsx'

/** Up to so many rows are simply drawn. */
const PLAIN = 30
const ROW_PX = 45
/** Px of a column that names no `columnWidth`. */
const COLUMN_PX = 104
const NUMBER_PX = 52

/** The rows of a sub-form to be read: a table with a column per field. */
export function RowTable({ state }: { readonly state: NodeState }) {
  const engine = useEngine()
  const t = useText()
  const windowed = useContext(WindowScroll)
  const rows = state.rows ?? []
  const fields = useMemo(
    () => [...engine.page.nodes.values()].filter((node) => node.subForm === state.node.key && node.field),
    [engine, state.node.key],
  )
  const numbered = state.options.showRowNumber !== false
  const widths = fields.map((field) => numberOf(field.option('columnWidth'), COLUMN_PX))
  const columns = [...(numbered ? [`${NUMBER_PX}px`] : []), ...widths.map((px) => `minmax(${px}px, 1fr)`)]
  const style: CSSProperties = {
    gridTemplateColumns: columns.join(' '),
    minWidth: widths.reduce((sum, px) => sum + px, numbered ? NUMBER_PX : 0),
  }
  const suffix = (id: string) => (fields[0] === undefined ? '' : `@row${id}`)
  const keyAt = useCallback((index: number) => rows[index]?.id ?? String(index), [rows])
  const estimate = useCallback(() => ROW_PX, [])
  const draw = (index: number) => (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table cannot
    // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to do in a row
    <div role="row" className="vf-read-row" style={style}>
      {numbered ? <Cell>{index + 1}</Cell> : null}
      {fields.map(({ key }) => (
        <Cell key={key}>
          <WidgetView nodeKey={`${key}${suffix(rows[index]?.id ?? '')}`} />
        </Cell>
      ))}
    </div>
  )
  if (rows.length === 0) return <p className="vf-read-none">{t('subForm.empty')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="table" className="vf-read-rows" aria-rowcount={rows.length + 1}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above */}
      <div role="row" className="vf-read-row vf-read-heads" style={style}>
        {numbered ? <Head text={t('subForm.number')} /> : null}
        {fields.map(({ key }) => (
          <ColumnHead key={key} nodeKey={`${key}${suffix(rows[0]?.id ?? '')}`} />
        ))}
      </div>
      {rows.length > PLAIN && windowed ? (
        <Windowed count={rows.length} keyAt={keyAt} estimate={estimate} draw={draw} />
      ) : (
        rows.map((row, index) => <div key={row.id}>{draw(index)}</div>)
      )}
    </div>
  )
}

function Cell({ children }: { readonly children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="cell">{children}</div>
  )
}

function Head({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above
    <div role="columnheader">{text}</div>
  )
}

function ColumnHead({ nodeKey }: { readonly nodeKey: NodeKey }) {
  return <Head text={useNode(nodeKey).label} />
}
