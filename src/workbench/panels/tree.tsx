import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Item, itemsOf, PAGE } from '../../../runtime/core/edit/entries.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { MoreGlyph } from '../../../runtime/react/kit/more-glyphs.tsx'
import { isReference } from '../canvas/resolve-page.ts'
import { t, useBench, useBenchState, useEditing, wordOr } from '../context.ts'
import { dragPayload, useDragHandle, useDropZone, usePlacing, useRefs } from '../dragging.tsx'
import { dropSpot, type Placing } from '../placing.ts'
import { isHidden } from '../selection.ts'
import { type KeyboardMove, useKeyboardMove } from './keyboard-move.ts'
import { useTitles } from './titles.ts'

/** A row of the tree as it is drawn. */
interface Row {
  readonly item: Item
  readonly depth: number
  readonly hasChildren: boolean
}

/** The widgets of the page as a tree; arrow keys navigate (with Shift they extend the selection), Alt and an arrow moves. */
export function Tree() {
  const bench = useBench()
  const { document, selected } = useEditing()
  const also = useBenchState((state) => state.also)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [query, setQuery] = useState('')
  const title = useTitles()
  const rows = useMemo(() => rowsOf(document, closed, query, title), [document, closed, query, title])
  // Tab leads to the selected row; to the first one if that is folded or filtered out.
  const entry = rows.find(({ item }) => item.key === selected) ?? rows[0]
  const list = useRef<HTMLElement>(null)
  const carry = useKeyboardMove()
  const byHand = usePlacing('tree')
  const placing = carry.placing ?? byHand
  const now = useRef({ rows, closed, carry, title })
  now.current = { rows, closed, carry, title }
  // An item moved into another container is in another row: the focus moves along.
  const isMoving = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has become another
  useEffect(() => {
    if (selected === null) return
    const row = list.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    row?.scrollIntoView({ block: 'nearest' })
    if (isMoving.current) row?.focus()
    isMoving.current = false
  }, [selected, document])
  const [announcement, announce] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: said when it is carried elsewhere
  useEffect(() => {
    list.current?.querySelector('[data-placing]')?.scrollIntoView({ block: 'nearest' })
    announce(carry.payload === null ? '' : carriedWords(carry, document, title))
  }, [carry.payload, carry.placing])
  const rowAt = (target: Element): HTMLElement | null => target.closest('[role="treeitem"]')
  const zone = useDropZone('tree', {
    view: () => list.current?.closest('.wb-pane') ?? null,
    spotAt({ x, y }) {
      const row = rowAt(globalThis.document.elementFromPoint(x, y) ?? globalThis.document.body)
      const key = row?.dataset.item
      return row === null || key === undefined
        ? null
        : dropSpot(document, key, row.getBoundingClientRect(), y)
    },
  })
  const grip = useDragHandle('tree', (target) => {
    const item = itemsOf(document).get(rowAt(target)?.dataset.item ?? '')
    return item === undefined ? null : dragPayload(bench, item.key, title(item))
  })
  const hold = useRefs(zone, grip.ref, list)
  const toggle = useCallback(
    (key: string, open: boolean) =>
      setClosed((known) => {
        const next = new Set(known)
        if (open) next.delete(key)
        else next.add(key)
        return next
      }),
    [],
  )
  const keys = useTreeKeys({ list, now, isMoving, toggle })
  return (
    <div className="wb-tree">
      <label className="wb-search">
        <Glyph name="search" size={14} />
        <input
          value={query}
          onChange={(event) => setQuery(event.target.value)}
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
        <MoreGlyph name="file" size={14} />
        {t('workbench.tree.page')}
      </button>
      <p className="wb-said" role="status">
        {announcement}
      </p>
      <p id="wb-tree-how" hidden>
        {t('workbench.tree.how')}
      </p>
      <div
        {...grip}
        ref={hold}
        role="tree"
        aria-multiselectable="true"
        aria-label={t('workbench.pane.tree')}
        aria-describedby="wb-tree-how"
        onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || carry.cancel()}
      >
        {rows.map(({ item, depth, hasChildren }) => (
          <TreeRow
            key={item.key}
            id={item.key}
            title={title(item)}
            kind={kindName(item)}
            isReference={isReference(item.written)}
            isHidden={isHidden(item)}
            depth={depth}
            open={hasChildren ? !closed.has(item.key) : null}
            isSelected={item.key === selected || also.includes(item.key)}
            isEntry={item.key === entry?.item.key}
            side={placing?.at === item.key ? placing.side : ''}
            onKey={keys}
            isHeld={carry.payload?.move?.includes(item.key) === true}
            onToggle={toggle}
          />
        ))}
      </div>
      {rows.length === 0 && (
        <p className="wb-quiet">{query === '' ? t('workbench.tree.empty') : t('workbench.nothing')}</p>
      )}
    </div>
  )
}

interface KeyParts {
  readonly list: RefObject<HTMLElement | null>
  /** What is drawn now, so that the handler stays the same and no row is redrawn for it. */
  readonly now: RefObject<{
    readonly rows: readonly Row[]
    readonly closed: ReadonlySet<string>
    readonly carry: KeyboardMove
    readonly title: ReturnType<typeof useTitles>
  }>
  /** Set while a key moves an item: the focus then follows it. */
  readonly isMoving: RefObject<boolean>
  readonly toggle: (key: string, open: boolean) => void
}

/** Keys of a row: the arrows walk and fold, Enter selects, Space picks the item up. */
function useTreeKeys({ list, now, isMoving, toggle }: KeyParts) {
  const bench = useBench()
  return useCallback(
    (event: KeyboardEvent, key: string) => {
      const { rows, closed, carry, title } = now.current
      if (carry.press(event)) {
        isMoving.current = event.key === ' ' || event.key === 'Enter'
        event.preventDefault()
        event.stopPropagation()
        return
      }
      isMoving.current = event.altKey
      const index = rows.findIndex(({ item }) => item.key === key)
      const row = rows[index]
      if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      const { item, hasChildren } = row
      const focusAt = (to: number) => {
        const target = rows[Math.max(0, Math.min(to, rows.length - 1))]
        if (target === undefined) return
        if (!event.shiftKey) bench.select(target.item.key)
        else if (!bench.selection().includes(target.item.key)) bench.pick(target.item.key)
        else bench.pick(key)
        list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[rows.indexOf(target)]?.focus()
      }
      if (event.key === 'ArrowDown') focusAt(index + 1)
      else if (event.key === 'ArrowUp') focusAt(index - 1)
      else if (event.key === 'Home') focusAt(0)
      else if (event.key === 'End') focusAt(rows.length - 1)
      else if (event.key === 'ArrowLeft' && hasChildren && !closed.has(key)) toggle(key, false)
      else if (event.key === 'ArrowLeft') focusAt(rows.findIndex((one) => one.item.key === item.parent))
      else if (event.key === 'ArrowRight' && closed.has(key)) toggle(key, true)
      else if (event.key === 'ArrowRight' && hasChildren) focusAt(index + 1)
      else if (event.key === 'Enter') bench.select(key)
      else if (event.key === ' ') carry.pick(key, title(item))
      else return
      event.preventDefault()
    },
    [bench, list, now, isMoving, toggle],
  )
}

interface RowProps {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly isReference: boolean
  readonly isHidden: boolean
  readonly depth: number
  /** Null for a row without children. */
  readonly open: boolean | null
  readonly isSelected: boolean
  /** The row that Tab leads to. */
  readonly isEntry: boolean
  readonly side: Placing['side'] | ''
  readonly onKey: (event: KeyboardEvent, key: string) => void
  readonly onToggle: (key: string, open: boolean) => void
  /** It is being moved by keyboard. */
  readonly isHeld: boolean
}

/** A row with plain values, so that of a thousand rows only changed ones are redrawn. */
const TreeRow = memo(function TreeRow(row: RowProps) {
  const bench = useBench()
  const { id, title, kind, isReference, isHidden, depth, open, isSelected, isEntry, side, isHeld } = row
  return (
    <div
      role="treeitem"
      aria-selected={isSelected}
      aria-level={depth + 1}
      {...(open === null ? {} : { 'aria-expanded': open })}
      tabIndex={isEntry ? 0 : -1}
      data-item={id}
      {...(side === '' ? {} : { 'data-placing': side })}
      className={isHeld ? 'wb-tree-row wb-tree-held' : 'wb-tree-row'}
      style={{ paddingLeft: `${8 + depth * 14}px` }}
      onClick={(event) =>
        event.ctrlKey || event.metaKey || event.shiftKey ? bench.pick(id) : bench.select(id)
      }
      onKeyDown={(event) => row.onKey(event, id)}
    >
      {/* Keys have the arrows: the row says itself whether it is open. */}
      <span
        className="wb-twist"
        aria-hidden="true"
        onPointerDown={() => open !== null && row.onToggle(id, !open)}
      >
        {open !== null && <Glyph name={open ? 'down' : 'right'} size={12} />}
      </span>
      <span className={isReference ? 'wb-kind wb-kind-ref' : 'wb-kind'}>{kind}</span>
      <span className={isHidden ? 'wb-tree-title wb-tree-hidden' : 'wb-tree-title'}>{title}</span>
      {isHidden && <small className="wb-quiet">{t('workbench.tree.hidden')}</small>}
    </div>
  )
})

/** The target of a move by keyboard, as text. */
function carriedWords(
  { payload, placing }: KeyboardMove,
  document: Json,
  title: (item: Item) => string,
): string {
  const item = placing === null ? undefined : itemsOf(document).get(placing.at)
  const places = { name: payload?.title ?? '', at: item === undefined ? '' : title(item) }
  return placing === null ? '' : t(`workbench.carry.${placing.side}`, places)
}

/** The kind of the item, as a word. */
export function kindName({ written }: Pick<Item, 'written'>): string {
  if ([written.field, written.fields, written.card].some((one) => typeof one === 'string'))
    return t('workbench.kind.field')
  if (isReference(written)) return t('workbench.kind.fragment')
  const type = typeof written.type === 'string' ? written.type.replace(/^m-/, '') : ''
  return type === '' ? t('workbench.kind.row') : wordOr(`workbench.widget.${type}`, type)
}

function rowsOf(
  document: Parameters<typeof itemsOf>[0],
  closed: ReadonlySet<string>,
  query: string,
  title: (item: Item) => string,
): Row[] {
  const items = itemsOf(document)
  const holders = new Set([...items.values()].map(({ parent }) => parent))
  const word = query.trim().toLowerCase()
  const rows: Row[] = []
  const depths = new Map<string, number>([[PAGE, -1]])
  const hidden = new Set<string>()
  for (const item of items.values()) {
    const depth = (depths.get(item.parent) ?? -1) + 1
    depths.set(item.key, depth)
    if (word !== '') {
      const searchText = `${title(item)} ${item.name} ${kindName(item)}`.toLowerCase()
      if (searchText.includes(word)) rows.push({ item, depth: 0, hasChildren: false })
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
