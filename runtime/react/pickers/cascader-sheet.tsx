import { useId, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson } from '../../core/json.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { pathAlong } from '../../core/widgets/tree.ts'
import { ItemsNote } from '../fields/items-note.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { TabStrip } from '../kit/tab-strip.tsx'
import { useText } from '../page/page-context.ts'
import { moveAmong } from './move-among.ts'
import { PickerSheet } from './picker-sheet.tsx'
import { SheetSearch } from './sheet-search.tsx'

/** Values from the root down to the choice. */
type Path = readonly Json[]

interface Props {
  readonly id: string
  readonly state: NodeState
  readonly title: string
  /** The chosen paths: one, or several if `several`. */
  readonly chosen: readonly Path[]
  readonly several?: boolean
  /** Any level can be chosen, not only the last one. */
  readonly anyLevel?: boolean
  readonly searched?: boolean
  readonly onTap?: (item: OptionItem, path: Path) => void
  readonly onClose: () => void
  readonly onPick: (paths: readonly Path[]) => void
}

/** One level at a time; the tabs above go back. Choosing an item without children ends it. */
export default function CascaderSheet(props: Props) {
  const {
    state,
    title,
    chosen,
    several = false,
    anyLevel = false,
    searched = false,
    onTap,
    onClose,
    onPick,
  } = props
  const t = useText()
  const id = useId()
  const [marked, setMarked] = useState<readonly Path[]>(chosen)
  const [path, setPath] = useState<readonly OptionItem[]>(() => pathAlong(state.items, chosen[0] ?? []))
  const [shown, setShown] = useState(() => Math.max(0, path.length - 1))
  const [opened] = useState(shown)
  const [keyword, setKeyword] = useState('')
  const query = keyword.trim().toLowerCase()
  const list = shown === 0 ? state.items : (path[shown - 1]?.children ?? [])
  const found = query === '' ? [] : pathsWith(state.items, query)
  const isMarked = (one: Path) => marked.some((other) => sameJson(other, one))
  const choose = (chosenPath: Path) => {
    if (!several) {
      onPick([chosenPath])
      return onClose()
    }
    setMarked(
      isMarked(chosenPath) ? marked.filter((other) => !sameJson(other, chosenPath)) : [...marked, chosenPath],
    )
  }
  const tap = (item: OptionItem) => {
    const next = [...path.slice(0, shown), item]
    const values = next.map((one) => one.value)
    onTap?.(item, values)
    setPath(next)
    if (hasChildren(item)) setShown(next.length)
    else choose(values)
  }
  const row = (key: string, label: string, on: boolean, item: OptionItem, act: () => void) => (
    <button
      key={key}
      type="button"
      role="option"
      aria-selected={on}
      data-first={path.length === 0 || on || undefined}
      className="vf-option"
      disabled={item.disabled === true}
      onClick={act}
    >
      <span>{label || t('widget.unnamed')}</span>
      {hasChildren(item) && query === '' ? (
        <Glyph name="right" size={16} />
      ) : several ? (
        <i className="vf-option-box" aria-hidden="true" />
      ) : on ? (
        <Glyph name="check" size={20} />
      ) : null}
    </button>
  )
  const open = path.slice(0, shown).at(-1)
  const openValues = path.slice(0, shown).map((item) => item.value)
  return (
    <PickerSheet id={props.id} open title={title} onClose={onClose} height="70vh">
      {searched ? <SheetSearch value={keyword} onSearch={setKeyword} /> : null}
      {query !== '' ? null : (
        <TabStrip
          id={id}
          label={title}
          tabs={levels(path, shown).map((item, i) => ({
            key: String(i),
            label: item?.label ?? t('widget.choose'),
          }))}
          active={String(shown)}
          onPick={(key) => setShown(Number(key))}
        />
      )}
      <div
        key={shown}
        ref={shown === opened ? toTop : toTopWithFocus}
        tabIndex={-1}
        className="vf-options"
        role="listbox"
        aria-label={open?.label ?? title}
        aria-multiselectable={several || undefined}
        onKeyDown={moveAmong}
      >
        {query === ''
          ? list.map((item) => {
              const values = [...openValues, item.value]
              const on = hasChildren(item) ? sameJson(path[shown]?.value, item.value) : isMarked(values)
              return row(JSON.stringify(item.value), item.label, on, item, () => tap(item))
            })
          : found.map((way) => {
              const values = way.map((item) => item.value)
              const last = way.at(-1)
              return last === undefined
                ? null
                : row(
                    JSON.stringify(values),
                    way.map(({ label }) => label).join(' / '),
                    isMarked(values),
                    last,
                    () => choose(values),
                  )
            })}
      </div>
      {state.items.length === 0 || (query !== '' && found.length === 0) ? (
        <div className="vf-options-none" role="status">
          {state.items.length === 0 ? (
            <ItemsNote state={state} />
          ) : (
            <span className="vf-quiet">{t('widget.search.none')}</span>
          )}
        </div>
      ) : null}
      {several || (anyLevel && openValues.length > 0) ? (
        <div className="vf-sheet-foot">
          {anyLevel && openValues.length > 0 ? (
            <button
              type="button"
              className="vf-button vf-default vf-block"
              onClick={() => choose(openValues)}
            >
              {t('widget.chooseThis', { label: open?.label ?? '' })}
            </button>
          ) : null}
          {several ? (
            <button
              type="button"
              className="vf-button vf-primary vf-block"
              onClick={() => {
                onPick(marked)
                onClose()
              }}
            >
              {`${t('widget.confirm')}${marked.length > 0 ? ` (${marked.length})` : ''}`}
            </button>
          ) : null}
        </div>
      ) : null}
    </PickerSheet>
  )
}

/** Each level starts at its first item, regardless of the scroll position of the previous one. */
function toTop(level: HTMLElement | null): void {
  if (level?.parentElement) level.parentElement.scrollTop = 0
}

/** The tapped element is removed with its level, so the keyboard focus moves to the new level. */
function toTopWithFocus(level: HTMLElement | null): void {
  toTop(level)
  level?.focus({ preventScroll: true })
}

const hasChildren = (item: OptionItem): boolean => item.children !== undefined && item.children.length > 0

/** A tab for each chosen level, and one more while the chosen item has children. */
function levels(path: readonly OptionItem[], shown: number): readonly (OptionItem | null)[] {
  const last = path.at(-1)
  const more = path.length === 0 || (last !== undefined && hasChildren(last)) || shown >= path.length
  return more ? [...path, null] : path
}

/** Paths to items without children whose labels contain the words. */
function pathsWith(
  items: readonly OptionItem[],
  wanted: string,
  above: readonly OptionItem[] = [],
): readonly (readonly OptionItem[])[] {
  return items
    .filter((item) => item.disabled !== true)
    .flatMap((item) => {
      const path = [...above, item]
      if (hasChildren(item)) return pathsWith(item.children ?? [], wanted, path)
      return path.some(({ label }) => label.toLowerCase().includes(wanted)) ? [path] : []
    })
}
