import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  MeasuringStrategy,
  useDroppable,
} from '@dnd-kit/core'
import { type ReactNode, useMemo, useState } from 'react'
import { isObject, type JsonObject, valueAt } from '../../core/json.ts'
import { isTruthy } from '../../core/logic/rule.ts'
import { BoardCard, Face } from '../board/card.tsx'
import { awaitsColumns, type Column, columnsOf, type Moved, withMoved } from '../board/columns.ts'
import { columnUnder, useMoving } from '../board/moving.ts'
import { useAtLeast } from '../kit/use-is-desktop.ts'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { EmptyNote } from '../rows/empty-note.tsx'
import { Skeletons } from '../rows/skeletons.tsx'
import '../styles/board.css'

const MEASURE = { droppable: { strategy: MeasuringStrategy.Always } }

export function View({ state }: ViewProps) {
  const { options, value } = state
  const engine = useEngine()
  const t = useText()
  const fire = useFire(state)
  const sensors = useMoving()
  const isWide = useAtLeast(768)
  const [held, hold] = useState<string | null>(null)
  const [moved, move] = useState<Moved | null>(null)
  const keyOf = (card: JsonObject) => textOf(card[textOf(options.rowKey)])
  const nameOf = (card: JsonObject) => textOf(card[textOf(options.rowLabel)])
  const given = useMemo(() => columnsOf(value, options), [value, options])
  const columns = withMoved(given, moved, keyOf)
  const announcements = useAnnouncements(columns)
  if (awaitsColumns(value))
    return (
      <div className={`vf-board-wait${isWide ? ' vf-board-wide' : ''}`}>
        <Skeletons height={400} />
      </div>
    )
  if (given.length === 0) return <EmptyNote text={t('list.empty')} />
  const movable = textOf(options.movable)
  const inHand = given.flatMap(({ cards }) => cards).find((card) => keyOf(card) === held)
  const drop = async ({ active, over }: DragEndEvent) => {
    hold(null)
    const card = given.flatMap(({ cards }) => cards).find((it) => keyOf(it) === active.id)
    const from = textOf(active.data.current?.column)
    const to = over === null ? from : String(over.id)
    if (card === undefined || to === from) return
    move({ card: String(active.id), from, to })
    await fire('move', [to, from], card)
    move(null)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={columnUnder}
      measuring={MEASURE}
      accessibility={announcements}
      onDragStart={({ active }) => hold(String(active.id))}
      onDragCancel={() => hold(null)}
      onDragEnd={(event) => void drop(event)}
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also where no card takes the focus
        tabIndex={0}
        className={`vf-board${isWide ? ' vf-board-wide' : ''}${held === null ? '' : ' vf-board-busy'}`}
        aria-label={state.label || state.node.name}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.key}
            column={column}
            sum={engine.fill(textOf(state.node.options.columnSum), column.given)}
            empty={textOf(options.empty)}
            more={textOf(options.moreText)}
            onMore={() => void fire('more', [column.key, column.cursor])}
          >
            {column.cards.map((card) => (
              <BoardCard
                key={keyOf(card)}
                node={state.key}
                row={card}
                id={keyOf(card)}
                column={column.key}
                label={nameOf(card)}
                movable={movable === '' || isTruthy(valueAt(card, movable) ?? null)}
                onOpen={() => void fire('rowClick', [card], card)}
              />
            ))}
          </BoardColumn>
        ))}
      </section>
      <DragOverlay dropAnimation={null}>
        {isObject(inHand) ? (
          <div className="vf-card vf-board-card vf-board-held">
            <Face node={state.key} row={inHand} />
          </div>
        ) : null}
      </DragOverlay>
    </DndContext>
  )
}

interface ColumnProps {
  readonly column: Column
  readonly sum: string
  readonly empty: string
  readonly more: string
  readonly onMore: () => void
  readonly children: ReactNode
}

function BoardColumn({ column, sum, empty, more, onMore, children }: ColumnProps) {
  const { setNodeRef, isOver } = useDroppable({ id: column.key })
  return (
    <section
      ref={setNodeRef}
      className={`vf-board-column${isOver ? ' vf-board-over' : ''}`}
      aria-label={`${column.label} ${column.count}`}
    >
      <header>
        <h3>
          {column.label}
          <span className="vf-quiet">{column.count}</span>
        </h3>
        {sum === '' ? null : <p className="vf-quiet">{sum}</p>}
      </header>
      <div className="vf-board-cards">
        {children}
        {column.cards.length === 0 && empty !== '' ? <p className="vf-quiet vf-board-none">{empty}</p> : null}
        {column.cursor !== '' && more !== '' ? (
          <button type="button" className="vf-link" onClick={onMore}>
            {more}
          </button>
        ) : null}
      </div>
    </section>
  )
}

/** Announcements for screen readers while a card is moved. */
function useAnnouncements(columns: readonly Column[]) {
  const t = useText()
  const announce = (code: string, label: unknown, key: unknown) => {
    const place = columns.findIndex((column) => column.key === key) + 1
    return t(code, { title: `${textOf(label as string)} `, place, count: columns.length })
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) =>
      announce('widget.slots.picked', active.data.current?.label, active.data.current?.column),
    onDragOver: ({ active, over }) => announce('widget.slots.moved', active.data.current?.label, over?.id),
    onDragEnd: ({ active, over }) => announce('widget.slots.dropped', active.data.current?.label, over?.id),
    onDragCancel: ({ active }) =>
      announce('widget.slots.cancelled', active.data.current?.label, active.data.current?.column),
  }
  return { announcements, screenReaderInstructions: { draggable: t('widget.board.how') } }
}
