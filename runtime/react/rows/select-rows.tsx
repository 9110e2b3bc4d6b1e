import { type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { numberOf, textOf } from '../page/options.ts'
import { PageVisible, useEngine, useText } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
import '../styles/extra.css'

/** Selection of rows of a list, kept in the page's data. */
export interface Selection {
  readonly keys: ReadonlySet<string>
  /** No more rows can be selected. */
  readonly full: boolean
  readonly toggle: (row: JsonObject) => void
  readonly all: () => void
  readonly none: () => void
  readonly stop: () => void
}

/** The state of selection in a list: unavailable, can begin, or active. */
export interface Selecting {
  readonly now: Selection | null
  /** Begins with a row; undefined if the list has no selection. */
  readonly begin: ((row: JsonObject) => void) | undefined
  /** Selects all loaded rows; undefined if the list has no selection. */
  readonly all: (() => void) | undefined
}

/**
 * The option `selection` of a list: selection is active while `data.<selection>` is a list. Rows that disappear are deselected; a page that is left
 * ends the selection; a disabled list has none to select.
 */
export function useSelection(
  { options, disabled }: NodeState,
  rows: readonly JsonObject[],
  keyOf: (row: JsonObject) => string,
): Selecting {
  const engine = useEngine()
  const name = textOf(options.selection)
  const maxSelected = numberOf(options.selectionMost, 200)
  const { data } = useScope()
  const value = name === '' ? undefined : ownValue(data, name)
  const picked = useMemo(() => rowsOf(value), [value])
  const visible = useContext(PageVisible)
  useEffect(() => {
    if (picked === null) return
    const pageKeys = new Set(rows.map(keyOf))
    const remaining = visible ? picked.filter((row) => pageKeys.has(keyOf(row))) : null
    if (remaining?.length !== picked.length) engine.setData(name, remaining)
  }, [engine, name, picked, rows, keyOf, visible])
  // Read when all are selected: rows that are loaded again change nothing for the cards.
  const loaded = useRef(rows)
  useLayoutEffect(() => {
    loaded.current = rows
  }, [rows])
  return useMemo(() => {
    if (name === '' || disabled) return { now: null, begin: undefined, all: undefined }
    const write = (next: readonly JsonObject[] | null) => engine.setData(name, next)
    const all = () => write(loaded.current.slice(0, maxSelected))
    if (picked === null) return { now: null, begin: (row) => write([row]), all }
    const keys = new Set(picked.map(keyOf))
    const full = picked.length >= maxSelected
    const toggle = (row: JsonObject) => {
      if (keys.has(keyOf(row))) write(picked.filter((other) => keyOf(other) !== keyOf(row)))
      else if (!full) write([...picked, row])
    }
    const now = {
      keys,
      full,
      toggle,
      all,
      none: () => write([]),
      stop: () => write(null),
    }
    return { now, begin: toggle, all }
  }, [engine, name, disabled, maxSelected, picked, keyOf])
}

function rowsOf(value: Json | undefined): readonly JsonObject[] | null {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : null
}

/** The number of selected rows, buttons for all or none, and one to end the selection. */
export function SelectionHead({
  selection,
  count,
}: {
  readonly selection: Selection
  readonly count: number
}) {
  const t = useText()
  const { keys, full, all, none, stop } = selection
  const isAll = full || keys.size >= count
  return (
    <div className="vf-pick-head" role="toolbar" aria-label={t('list.pick.mode')}>
      <button type="button" className="vf-button vf-text vf-small" onClick={isAll ? none : all}>
        {t(isAll ? 'list.pick.none' : 'list.pick.all')}
      </button>
      <span aria-live="polite">{t('list.pick.count', { n: keys.size })}</span>
      <button type="button" className="vf-button vf-text vf-small" onClick={stop}>
        {t('list.pick.stop')}
      </button>
    </div>
  )
}

interface PickProps {
  readonly chosen: boolean
  readonly disabled: boolean
  readonly label: string
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** A card that is selected by a tap anywhere on it; its contents are inactive meanwhile. */
export function PickCard({ chosen, disabled, label, onToggle, children }: PickProps) {
  return (
    <div className={`vf-pick${chosen ? ' vf-picked' : ''}`}>
      <label>
        <input
          type="checkbox"
          checked={chosen}
          disabled={disabled && !chosen}
          aria-label={label}
          onChange={onToggle}
        />
        <i aria-hidden="true" />
      </label>
      <div inert className="vf-card">
        {children}
      </div>
    </div>
  )
}
