import { type CSSProperties, useCallback, useContext, useMemo, useRef } from 'react'
import type { NodeKey } from '../../core/page/page.ts'
import { Glyph } from '../kit/glyph.tsx'
import { useIsWide } from '../kit/use-is-wide.ts'
import { numberOf, textOf } from '../page/options.ts'
import { usePage, useText, WindowScroll } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { WidgetView } from '../page/widget-view.tsx'
import { LazyItems } from '../rows/lazy-items.tsx'
import { editedWidth, RowTable, rowFields, rowHead } from '../rows/row-table.tsx'
import { RowTools, useRowActs } from '../rows/row-tools.tsx'

/** Maximum number of rows that are all drawn. */
const PLAIN = 8
const HEAD_PX = 45
const CELL_PX = 53

/** A narrower sub-form, as on any phone, has cards even if the columns would fit. */
const TABLE_PX = 560

/** Rows as a table with a column of buttons if all columns fit, else as cards with number and buttons above the fields. In read mode always a table. */
export function View({ state }: ViewProps) {
  const { engine, revealer } = usePage()
  const t = useText()
  const windowed = useContext(WindowScroll)
  const add = useRef<HTMLButtonElement>(null)
  const rows = useMemo(() => state.rows ?? [], [state.rows])
  const acts = useRowActs(state, add)
  const fire = useFire(state)
  const numbered = state.options.showRowNumber !== false
  const onReady = useCallback(
    (mount: (index: number) => void) =>
      revealer.register(state.key, (child: NodeKey) => {
        const index = rows.findIndex((row) => child.endsWith(`@row${row.id}`))
        if (index >= 0) mount(index)
      }),
    [revealer, state.key, rows],
  )
  const keys = useMemo(() => rows.map(({ id }) => id), [rows])
  const cells = rows[0]?.children.length ?? 0
  const fields = useMemo(() => rowFields(engine.page, state.node.key), [engine, state.node.key])
  const children = engine.page.nodes.get(state.node.key)?.children
  const head = useMemo(() => rowHead(engine.page, state.node), [engine, state.node])
  const isFlat = children?.every((key) => key === head || engine.page.nodes.get(key)?.field) === true
  const across = numberOf(state.options.rowColumns ?? null, 1)
  const [section, isTable] = useIsWide(Math.max(TABLE_PX, editedWidth(fields, head)), isFlat)
  const actionsFirst = state.options.actionColumnPosition === 'left'
  const isCounted = rows.length > 0 && state.options.fixedRows !== true
  const draw = (index: number) => (
    <fieldset key={keys[index]} className="vf-row" aria-label={t('subForm.row', { row: index + 1 })}>
      {numbered || acts.shown || head !== null ? (
        <div className={`vf-row-head${actionsFirst ? ' vf-row-left' : ''}`}>
          {numbered || head === null ? <b>{numbered ? `#${index + 1}` : ''}</b> : null}
          {head === null ? null : <WidgetView nodeKey={`${head}@row${rows[index]?.id ?? ''}`} />}
          <RowTools acts={acts} index={index} />
        </div>
      ) : null}
      <div
        className={across > 1 ? 'vf-row-across' : undefined}
        style={{ '--vf-across': across } as CSSProperties}
      >
        {rows[index]?.children
          .filter((_, at) => head === null || children?.[at] !== head)
          .map((key) => (
            <WidgetView key={key} nodeKey={key} />
          ))}
      </div>
    </fieldset>
  )
  return (
    <section ref={section} className="vf-sub-form" aria-label={state.label || state.node.name}>
      <header className="vf-rows-head">
        {state.label === '' || state.options.labelHidden === true ? null : (
          <h3 className={state.required && acts.shown ? 'vf-starred' : undefined}>{state.label}</h3>
        )}
        {isCounted ? <span className="vf-quiet">{t('subForm.count', { count: rows.length })}</span> : null}
        {acts.shown && isCounted && !acts.byPage ? (
          <button
            type="button"
            className="vf-rows-first"
            disabled={!acts.canInsert}
            aria-label={t('subForm.insertFirst')}
            onClick={() => engine.addRow(state.key, 0)}
          >
            <Glyph name="plus" size={18} />
          </button>
        ) : null}
      </header>
      {textOf(state.options.hint) === '' || state.readMode ? null : (
        <div className="vf-hint vf-rows-hint">{textOf(state.options.hint)}</div>
      )}
      {state.readMode ? (
        <RowTable state={state} />
      ) : isTable ? (
        <RowTable state={state} acts={acts} onReady={onReady} />
      ) : (
        <div className="vf-rows">
          {rows.length > PLAIN && windowed ? (
            <LazyItems
              keys={keys}
              estimate={() => HEAD_PX + cells * CELL_PX}
              draw={draw}
              weight={cells}
              gap={8}
              onReady={onReady}
            />
          ) : (
            rows.map((_, index) => draw(index))
          )}
        </div>
      )}
      {state.error === null ? null : (
        <div className="vf-error vf-rows-hint" role="alert">
          {state.error}
        </div>
      )}
      {acts.shown ? (
        <button
          ref={add}
          type="button"
          className="vf-row-add"
          disabled={!acts.canInsert}
          onClick={() => (acts.byPage ? void fire('addClick') : engine.addRow(state.key))}
        >
          <Glyph name="plus" size={18} />
          {textOf(state.options.addText) || t('subForm.add')}
        </button>
      ) : null}
    </section>
  )
}
