import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { type Item, itemsOf, PAGE } from '../../../runtime/core/edit/entries.ts'
import { Glyph } from '../../../runtime/react/glyph.tsx'
import { isReference } from '../canvas/resolve-page.ts'
import { t, useBench, useEditing, wordOr } from '../context.ts'
import { droppedEdit, isOurs, startDrag } from '../drag.ts'
import { dropSpot, type Placing, stepOf } from '../placing.ts'
import { useTitles } from './titles.ts'

/** A row of the tree as it is drawn. */
interface Row {
  readonly item: Item
  readonly depth: number
  readonly hasChildren: boolean
}

/** The widgets of the page as they are nested; arrow keys walk, Alt and an arrow moves. */
export function Tree() {
  const bench = useBench()
  const { document, selected } = useEditing()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [wanted, setWanted] = useState('')
  const [placing, setPlacing] = useState<Placing | null>(null)
  const title = useTitles()
  const rows = useMemo(() => rowsOf(document, closed, wanted, title), [document, closed, wanted, title])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected !== null)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const focusAt = (index: number) => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (row === undefined) return
    bench.select(row.item.key)
    list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[rows.indexOf(row)]?.focus()
  }
  const toggle = (key: string, open: boolean) =>
    setClosed((known) => {
      const next = new Set(known)
      if (open) next.delete(key)
      else next.add(key)
      return next
    })
  const keys = (event: KeyboardEvent, index: number, { item, hasChildren }: Row) => {
    const direction = DIRECTIONS[event.key]
    if (event.altKey && direction !== undefined) {
      const edit = stepOf(document, item.key, direction)
      event.preventDefault()
      if (edit !== null) bench.perform(edit)
      return
    }
    if (event.key === 'ArrowDown') focusAt(index + 1)
    else if (event.key === 'ArrowUp') focusAt(index - 1)
    else if (event.key === 'Home') focusAt(0)
    else if (event.key === 'End') focusAt(rows.length - 1)
    else if (event.key === 'ArrowLeft' && hasChildren && !closed.has(item.key)) toggle(item.key, false)
    else if (event.key === 'ArrowLeft') focusAt(rows.findIndex((row) => row.item.key === item.parent))
    else if (event.key === 'ArrowRight' && closed.has(item.key)) toggle(item.key, true)
    else if (event.key === 'ArrowRight' && hasChildren) focusAt(index + 1)
    else if (event.key === 'Enter' || event.key === ' ') bench.select(item.key)
    else return
    event.preventDefault()
  }
  return (
    <div className="wb-tree">
      <label className="wb-search">
        <Glyph name="search" size={14} />
        <input
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          placeholder={t('workbench.tree.search')}
          aria-label={t('workbench.tree.search')}
        />
      </label>
      <button
        type="button"
        className="wb-tree-page"
        aria-pressed={selected === null}
        onClick={() => bench.select(null)}
      >
        <Glyph name="file" size={14} />
        {t('workbench.tree.page')}
      </button>
      <div ref={list} role="tree" aria-label={t('workbench.pane.tree')}>
        {rows.map((row, index) => {
          const { item, depth, hasChildren } = row
          const isSelected = item.key === selected
          const side = placing?.at === item.key ? ` wb-drop-${placing.side}` : ''
          return (
            <div
              key={item.key}
              role="treeitem"
              aria-selected={isSelected}
              aria-level={depth + 1}
              {...(hasChildren ? { 'aria-expanded': !closed.has(item.key) } : {})}
              tabIndex={isSelected || (selected === null && index === 0) ? 0 : -1}
              className={`wb-tree-row${side}`}
              style={{ paddingLeft: `${8 + depth * 14}px` }}
              draggable
              onClick={() => bench.select(item.key)}
              onKeyDown={(event) => keys(event, index, row)}
              onDragStart={(event) => startDrag(event, { move: item.key })}
              onDragOver={(event) => {
                if (!isOurs(event)) return
                event.preventDefault()
                const box = event.currentTarget.getBoundingClientRect()
                setPlacing(dropSpot(document, item.key, box, event.clientY))
              }}
              onDragLeave={() => setPlacing(null)}
              onDrop={(event) => {
                event.preventDefault()
                const edit = placing && droppedEdit(event, document, placing.spot)
                setPlacing(null)
                if (edit) bench.perform(edit)
              }}
            >
              {/* Keys have the arrows: the row says itself whether it is open. */}
              <span
                className="wb-twist"
                aria-hidden="true"
                onPointerDown={() => hasChildren && toggle(item.key, closed.has(item.key))}
              >
                {hasChildren && <Glyph name={closed.has(item.key) ? 'right' : 'down'} size={12} />}
              </span>
              <span className={isReference(item.written) ? 'wb-kind wb-kind-ref' : 'wb-kind'}>
                {kindName(item)}
              </span>
              <span className="wb-tree-title">{title(item)}</span>
            </div>
          )
        })}
      </div>
      {rows.length === 0 && (
        <p className="wb-quiet">{wanted === '' ? t('workbench.tree.empty') : t('workbench.nothing')}</p>
      )}
    </div>
  )
}

const DIRECTIONS: Readonly<Record<string, 'up' | 'down' | 'in' | 'out'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** What kind of thing it is, in a word. */
export function kindName({ written }: Pick<Item, 'written'>): string {
  if (typeof written.field === 'string' || typeof written.fields === 'string')
    return t('workbench.kind.field')
  if (isReference(written)) return t('workbench.kind.fragment')
  const type = typeof written.type === 'string' ? written.type.replace(/^m-/, '') : ''
  return type === '' ? t('workbench.kind.row') : wordOr(`workbench.widget.${type}`, type)
}

function rowsOf(
  document: Parameters<typeof itemsOf>[0],
  closed: ReadonlySet<string>,
  wanted: string,
  title: (item: Item) => string,
): Row[] {
  const items = itemsOf(document)
  const holders = new Set([...items.values()].map(({ parent }) => parent))
  const word = wanted.trim().toLowerCase()
  const rows: Row[] = []
  const depths = new Map<string, number>([[PAGE, -1]])
  const hidden = new Set<string>()
  for (const item of items.values()) {
    const depth = (depths.get(item.parent) ?? -1) + 1
    depths.set(item.key, depth)
    if (word !== '') {
      const said = `${title(item)} ${item.name} ${kindName(item)}`.toLowerCase()
      if (said.includes(word)) rows.push({ item, depth: 0, hasChildren: false })
      continue
    }
    if (hidden.has(item.parent) || closed.has(item.parent)) {
      hidden.add(item.key)
      continue
    }
    rows.push({ item, depth, hasChildren: holders.has(item.key) })
  }
  return rows
}
