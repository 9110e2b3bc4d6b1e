import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { useText } from '../page/page-context.ts'
import { DRAGGED_ROWS, draggedRows } from '../rows/dragged-rows.ts'
import { mayGo, shownRows, type TreeRow } from './tree-rows.ts'

const BRANCH = 'application/x-vf-branch'

interface Props {
  readonly label: string
  readonly rows: readonly TreeRow[]
  readonly chosen: string
  readonly all: string
  readonly nameOf: (id: string) => string
  readonly noteOf: (row: TreeRow) => string
  readonly movable: boolean
  readonly onChoose: (id: string) => void
  /** @param to  the id of the new parent; '' for the root */
  readonly onMove: (row: TreeRow, to: string) => void
  /** Rows of a list were dropped on a row. */
  readonly onDrop: (row: TreeRow, ids: readonly string[]) => void
}

/**
 * The rows with keyboard navigation: up and down move, left and right close and open. A row is moved by the mouse, or by m: the next chosen row
 * becomes its parent; Escape cancels.
 */
export function Tree(props: Props) {
  const { label, rows, chosen, all, nameOf, noteOf, movable, onChoose, onMove, onDrop } = props
  const t = useText()
  const root = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState(chosen)
  const [moving, setMoving] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const top: TreeRow = { id: '', row: {}, level: 1, hasChildren: false, above: [] }
  const shown = [top, ...shownRows(rows, closed)]
  const current = shown.some(({ id }) => id === at) ? at : ''
  const go = (id: string) => {
    setAt(id)
    root.current?.querySelector<HTMLElement>(`[data-branch="${CSS.escape(id)}"]`)?.focus()
  }
  const fold = (id: string, isClosed: boolean) =>
    setClosed(new Set(isClosed ? [...closed, id] : [...closed].filter((one) => one !== id)))
  const move = (id: string, to: string) => {
    setMoving(null)
    const row = rows.find((one) => one.id === id)
    if (row !== undefined && mayGo(rows, id, to)) onMove(row, to)
  }
  const choose = (id: string) => (moving === null ? onChoose(id) : move(moving, id))
  const keys = (event: KeyboardEvent) => {
    const index = shown.findIndex(({ id }) => id === current)
    const row = shown[index]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(shown[index + 1]?.id ?? row.id),
      ArrowUp: () => go(shown[index - 1]?.id ?? row.id),
      Home: () => go(shown[0]?.id ?? row.id),
      End: () => go(shown.at(-1)?.id ?? row.id),
      ArrowRight: () => (closed.has(row.id) ? fold(row.id, false) : go(shown[index + 1]?.id ?? row.id)),
      ArrowLeft: () =>
        row.hasChildren && !closed.has(row.id) ? fold(row.id, true) : go(row.above.at(-1) ?? ''),
      Enter: () => choose(row.id),
      ' ': () => choose(row.id),
      ...(movable && row.id !== '' && moving === null ? { m: () => setMoving(row.id) } : {}),
      ...(moving === null ? {} : { Escape: () => setMoving(null) }),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const dropOn = (row: TreeRow) => ({
    onDragOver: (event: DragEvent) => {
      const { types } = event.dataTransfer
      if (!types.includes(BRANCH) && (!types.includes(DRAGGED_ROWS) || row.id === '')) return
      event.preventDefault()
      setOver(row.id)
    },
    onDragLeave: () => setOver(null),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(null)
      const branch = event.dataTransfer.getData(BRANCH)
      const ids = draggedRows(event.dataTransfer)
      if (branch !== '') move(branch, row.id)
      else if (ids.length > 0 && row.id !== '') onDrop(row, ids)
    },
  })
  return (
    <>
      <p className="vf-unseen" role="status">
        {moving === null ? '' : t('widget.tree.moving', { name: nameOf(moving) })}
      </p>
      {moving === null ? null : (
        <p className="vf-side-tree-moving" aria-hidden="true">
          {t('widget.tree.moving', { name: nameOf(moving) })}
        </p>
      )}
      <div ref={root} role="tree" aria-label={label} onKeyDown={keys}>
        {shown.map((row) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears its keys
          <div
            key={row.id}
            role="treeitem"
            data-branch={row.id}
            aria-level={row.level}
            aria-selected={row.id === chosen}
            aria-expanded={row.hasChildren ? !closed.has(row.id) : undefined}
            aria-disabled={(moving !== null && !mayGo(rows, moving, row.id)) || undefined}
            tabIndex={row.id === current ? 0 : -1}
            className={over === row.id ? 'vf-over' : undefined}
            style={{ paddingInlineStart: `${(row.level - 1) * 16}px` }}
            draggable={movable && row.id !== ''}
            onDragStart={(event) => event.dataTransfer.setData(BRANCH, row.id)}
            {...dropOn(row)}
            onFocus={() => setAt(row.id)}
            onClick={() => choose(row.id)}
          >
            <button
              type="button"
              tabIndex={-1}
              aria-hidden="true"
              hidden={!row.hasChildren}
              onClick={(event) => {
                event.stopPropagation()
                fold(row.id, !closed.has(row.id))
              }}
            >
              <Glyph name={closed.has(row.id) ? 'right' : 'down'} size={14} />
            </button>
            <span>
              {row.id === '' ? all : nameOf(row.id)}
              {row.id === '' ? null : <small>{noteOf(row)}</small>}
            </span>
            {movable && row.id !== '' && moving === null ? (
              <button
                type="button"
                tabIndex={-1}
                className="vf-side-tree-move"
                aria-label={t('widget.tree.move', { name: nameOf(row.id) })}
                title={t('widget.tree.move', { name: nameOf(row.id) })}
                onClick={(event) => {
                  event.stopPropagation()
                  setMoving(row.id)
                  go(row.id)
                }}
              >
                <Glyph name="right" size={14} />
              </button>
            ) : null}
          </div>
        ))}
      </div>
    </>
  )
}
