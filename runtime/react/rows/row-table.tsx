import { type CSSProperties, useContext, useMemo } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { NodeKey, Page, PageNode } from '../../core/page/page.ts'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine, useText, WindowScroll } from '../page/page-context.ts'
import { useNode } from '../page/use-node.ts'
import { WidgetView } from '../page/widget-view.tsx'
import { LazyItems } from './lazy-items.tsx'
import { type RowActs, RowTools } from './row-tools.tsx'

/** Maximum number of rows that are all drawn: texts are cheap, fields are not. */
const PLAIN = 30
const PLAIN_EDITED = 8
const ROW_PX = 45
const ROW_EDITED_PX = 61
/** Default width of a column in px. */
const COLUMN_PX = 104
/** Minimum width in px of an editable field. */
const COLUMN_EDITED_PX = 120
const NUMBER_PX = 52
/** Width in px of the column with the row's name. */
const HEAD_PX = 180
const TOOLS_PX = 104

interface Props {
  readonly state: NodeState
  /** The actions on rows; absent: read-only. */
  readonly acts?: RowActs
  /** Gets a function that mounts a row at any position. */
  readonly onReady?: (mount: (index: number) => void) => () => void
}

/** The fields of a sub-form that can be visible, in document order. */
export function rowFields(page: Page, subForm: NodeKey): readonly PageNode[] {
  return [...page.nodes.values()].filter(
    (node) => node.subForm === subForm && node.field && node.option('hidden') !== true,
  )
}

/** The child that names the row (`rowHead`); null if the page sets none. */
export function rowHead(page: Page, subForm: PageNode): NodeKey | null {
  const name = subForm.option('rowHead')
  return subForm.children.find((key) => page.nodes.get(key)?.name === name) ?? null
}

/** Width in px of the table while it is edited. */
export const editedWidth = (fields: readonly PageNode[], head: NodeKey | null): number =>
  NUMBER_PX + TOOLS_PX + (head === null ? 0 : HEAD_PX) + fields.length * COLUMN_EDITED_PX

/** The rows of a sub-form as a table with a column per field, and one for the buttons of a row while it is edited. */
export function RowTable({ state, acts, onReady }: Props) {
  const engine = useEngine()
  const t = useText()
  const windowed = useContext(WindowScroll)
  const rows = useMemo(() => state.rows ?? [], [state.rows])
  const fields = useMemo(() => rowFields(engine.page, state.node.key), [engine, state.node.key])
  const head = useMemo(() => rowHead(engine.page, state.node), [engine, state.node])
  const edited = acts !== undefined
  const numbered = state.options.showRowNumber !== false
  const widths = fields.map((field) => numberOf(field.option('columnWidth'), COLUMN_PX))
  const actionsFirst = state.options.actionColumnPosition === 'left'
  const tools = acts?.shown === true ? [`${TOOLS_PX}px`] : []
  const columns = [
    ...(numbered ? [`${NUMBER_PX}px`] : []),
    ...(actionsFirst ? tools : []),
    ...(head === null ? [] : [`minmax(${HEAD_PX}px, ${2 * COLUMN_PX}fr)`]),
    ...widths.map((px) => (edited ? `minmax(${COLUMN_EDITED_PX}px, ${px}fr)` : `minmax(${px}px, 1fr)`)),
    ...(actionsFirst ? [] : tools),
  ]
  const style: CSSProperties = {
    gridTemplateColumns: columns.join(' '),
    minWidth: edited
      ? undefined
      : widths.reduce((sum, px) => sum + px, (numbered ? NUMBER_PX : 0) + (head === null ? 0 : HEAD_PX)),
  }
  const keys = useMemo(() => rows.map(({ id }) => id), [rows])
  const look = `vf-read-row${edited ? ' vf-edit-row' : ''}`
  const toolsOf = (index: number) =>
    acts?.shown === true ? (
      <Cell>
        <RowTools acts={acts} index={index} />
      </Cell>
    ) : null
  const draw = (index: number) => (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table cannot
    // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to do in a row
    <div
      key={keys[index]}
      role="row"
      className={look}
      style={style}
      aria-label={t('subForm.row', { row: index + 1 })}
    >
      {numbered ? <Cell>{index + 1}</Cell> : null}
      {actionsFirst ? toolsOf(index) : null}
      {head === null ? null : (
        <Cell>
          <WidgetView nodeKey={`${head}@row${rows[index]?.id ?? ''}`} />
        </Cell>
      )}
      {fields.map(({ key }) => (
        <Cell key={key}>
          <WidgetView nodeKey={`${key}@row${rows[index]?.id ?? ''}`} />
        </Cell>
      ))}
      {actionsFirst ? null : toolsOf(index)}
    </div>
  )
  const toolsHead = acts?.shown === true ? <Head text={t('subForm.operations')} /> : null
  if (rows.length === 0) return edited ? null : <p className="vf-hint vf-rows-hint">{t('subForm.empty')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="table" className="vf-read-rows" aria-rowcount={rows.length + 1}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above */}
      <div role="row" className={`${look} vf-read-heads`} style={style}>
        {numbered ? <Head text={t('subForm.number')} /> : null}
        {actionsFirst ? toolsHead : null}
        {head === null ? null : <Head text={textOf(state.options.rowHeadLabel) || state.label} />}
        {fields.map(({ key }) => (
          <ColumnHead key={key} nodeKey={`${key}@row${rows[0]?.id ?? ''}`} edited={edited} />
        ))}
        {actionsFirst ? null : toolsHead}
      </div>
      {rows.length > (edited ? PLAIN_EDITED : PLAIN) && windowed ? (
        <LazyItems
          keys={keys}
          estimate={() => (edited ? ROW_EDITED_PX : ROW_PX)}
          draw={draw}
          weight={fields.length}
          {...(onReady === undefined ? {} : { onReady })}
        />
      ) : (
        rows.map((_, index) => draw(index))
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

function Head({ text, starred = false }: { readonly text: string; readonly starred?: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above
    <div role="columnheader" className={starred ? 'vf-starred' : undefined}>
      {text}
    </div>
  )
}

function ColumnHead({ nodeKey, edited }: { readonly nodeKey: NodeKey; readonly edited: boolean }) {
  const { label, required } = useNode(nodeKey)
  return <Head text={label} starred={edited && required} />
}
