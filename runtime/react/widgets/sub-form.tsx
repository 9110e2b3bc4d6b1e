import { useCallback, useContext, useMemo } from 'react'
import type { NodeKey } from '../../core/page/page.ts'
import { Glyph } from '../glyph.tsx'
import { usePage, WindowScroll } from '../page-context.ts'
import type { ViewProps } from '../view.ts'
import { WidgetView } from '../widget-view.tsx'
import { Windowed } from '../windowed.tsx'

/** Up to so many rows are simply drawn. */
const PLAIN = 8
const HEAD_PX = 48
const CELL_PX = 52

export function View({ state }: ViewProps) {
  const { engine, revealer } = usePage()
  const t = engine.ports.text
  const windowed = useContext(WindowScroll)
  const rows = useMemo(() => state.rows ?? [], [state.rows])
  const open = !state.disabled && !state.readonly && !state.readMode
  const onReady = useCallback(
    (scrollTo: (index: number) => void) =>
      revealer.register(state.key, (child: NodeKey) => {
        const index = rows.findIndex((row) => child.endsWith(`@row${row.id}`))
        if (index >= 0) scrollTo(index)
      }),
    [revealer, state.key, rows],
  )
  const remove = async (index: number) => {
    const { confirm } = await engine.ports.feedback.modal({
      title: t('subForm.delete.title'),
      content: t('subForm.delete.ask'),
    })
    if (confirm) engine.removeRow(state.key, index)
  }
  const tools = (index: number) =>
    open ? (
      <span className="vf-row-tools">
        <button
          type="button"
          aria-label={t('subForm.insert', { row: index + 1 })}
          onClick={() => engine.addRow(state.key, index)}
        >
          <Glyph name="plus" size={18} />
        </button>
        <button
          type="button"
          aria-label={t('subForm.delete', { row: index + 1 })}
          onClick={() => void remove(index)}
        >
          <Glyph name="bin" size={18} />
        </button>
      </span>
    ) : null
  const left = state.options.actionColumnPosition === 'left'
  const draw = (index: number) => (
    <div className="vf-row">
      <div className={`vf-row-head${left ? ' vf-row-left' : ''}`}>
        {state.options.showRowNumber === false ? null : <b>{`#${index + 1}`}</b>}
        {tools(index)}
      </div>
      {rows[index]?.children.map((key) => (
        <WidgetView key={key} nodeKey={key} />
      ))}
    </div>
  )
  const keyAt = useCallback((index: number) => rows[index]?.id ?? String(index), [rows])
  const estimate = useCallback(
    (index: number) => HEAD_PX + (rows[index]?.children.length ?? 0) * CELL_PX,
    [rows],
  )
  return (
    <section className="vf-sub-form" aria-label={state.label || state.node.name}>
      {state.label === '' ? null : <h3>{state.label}</h3>}
      {rows.length > PLAIN && windowed ? (
        <Windowed
          count={rows.length}
          keyAt={keyAt}
          estimate={estimate}
          draw={draw}
          gap={8}
          onReady={onReady}
        />
      ) : (
        <div className="vf-rows">
          {rows.map((row, index) => (
            <div key={row.id}>{draw(index)}</div>
          ))}
        </div>
      )}
      {open ? (
        <button type="button" className="vf-row-add" onClick={() => engine.addRow(state.key)}>
          <Glyph name="plus" size={18} />
          {t('subForm.add')}
        </button>
      ) : null}
    </section>
  )
}
