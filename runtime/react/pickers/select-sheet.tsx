import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson } from '../../core/json.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { isRetired } from '../../core/widgets/retired.ts'
import { asList, itemText } from '../../core/widgets/values.ts'
import { ItemsNote } from '../fields/items-note.tsx'
import { useSearch } from '../fields/use-search.ts'
import { Glyph } from '../kit/glyph.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { moveAmong } from './move-among.ts'
import { PickerSheet } from './picker-sheet.tsx'
import { SheetSearch } from './sheet-search.tsx'

interface Props {
  readonly id: string
  readonly state: NodeState
  readonly open: boolean
  readonly onClose: () => void
  readonly onPick: (value: Json) => void
}

/** Number of items from which on there is a search box. */
const SEARCH_FROM = 15
/** Maximum number of drawn items; the search narrows them. */
const DRAWN = 200

/** The choices of a select, from the bottom. Single: a tap chooses and closes. Multiple: a tap marks, the button confirms. */
export default function SelectSheet({ id, state, open, onClose, onPick }: Props) {
  const t = useText()
  const { options, items } = state
  const several = options.multiple === true
  const { keyword, search, reset, busy, remote } = useSearch(state)
  const [marked, setMarked] = useState<readonly Json[] | null>(null)
  const chosen = marked ?? (asList(state.value) as readonly Json[])
  const isChosen = (value: Json) => chosen.some((one) => sameJson(one, value))
  const mayCreate = options.allowCreate === true
  const searched = remote || options.filterable === true || mayCreate || items.length >= SEARCH_FROM
  const query = keyword.trim()
  const found = items.filter(
    (item) => remote || itemText(item, options).toLowerCase().includes(query.toLowerCase()),
  )
  const isNew = !items.some((item) => itemText(item, options) === query) && !(several && isChosen(query))
  const creates = mayCreate && query !== '' && isNew
  const limit = Number(options.multipleLimit ?? 0)
  const isFull = several && limit > 0 && chosen.length >= limit
  const close = () => {
    setMarked(null)
    reset()
    onClose()
  }
  const tap = (value: Json) => {
    if (!several) {
      reset()
      onPick(value)
    } else if (isChosen(value)) setMarked(chosen.filter((one) => !sameJson(one, value)))
    else if (!isFull) setMarked([...chosen, value])
  }
  /** Chooses the typed text; more may follow. */
  const create = () => {
    tap(query)
    if (several && !isFull) reset()
  }
  const row = (item: OptionItem, label: string, onTap = () => tap(item.value)) => (
    <button
      key={JSON.stringify(item.value)}
      type="button"
      role="option"
      aria-selected={isChosen(item.value)}
      data-first={chosen.length === 0 || isChosen(item.value) || undefined}
      className="vf-option"
      disabled={item.disabled === true || (isFull && !isChosen(item.value))}
      onClick={onTap}
    >
      <span>
        {label}
        {isChosen(item.value) && isRetired(item, options) && t('widget.retired')}
      </span>
      {several ? (
        <i className="vf-option-box" aria-hidden="true" />
      ) : isChosen(item.value) ? (
        <Glyph name="check" size={20} />
      ) : null}
    </button>
  )
  return (
    <PickerSheet id={id} open={open} title={state.label || t('widget.choose')} onClose={close}>
      {searched ? (
        <SheetSearch
          value={keyword}
          onSearch={search}
          {...(mayCreate ? { hint: t('widget.create.hint'), onEnter: () => creates && create() } : {})}
        />
      ) : null}
      <div
        className="vf-options"
        role="listbox"
        aria-label={state.label || t('widget.choose')}
        aria-multiselectable={several || undefined}
        aria-busy={busy || undefined}
        onKeyDown={moveAmong}
      >
        {creates ? row({ label: query, value: query }, t('widget.create', { text: query }), create) : null}
        {several
          ? chosen
              .filter((value) => !items.some((item) => sameJson(item.value, value)))
              .map((value) => row({ label: textOf(value), value }, textOf(value)))
          : null}
        {found.slice(0, DRAWN).map((item) => row(item, itemText(item, options) || t('widget.unnamed')))}
      </div>
      {found.length === 0 && !creates ? (
        <div className="vf-options-none" role="status">
          {busy ? (
            t('widget.searching')
          ) : query !== '' && (items.length > 0 || remote) ? (
            t('widget.search.none')
          ) : state.itemsState === 'ready' ? (
            textOf(options.emptyTips) || t(mayCreate ? 'widget.create.empty' : 'widget.options.none')
          ) : (
            <ItemsNote state={state} />
          )}
        </div>
      ) : null}
      {several ? (
        <div className="vf-sheet-foot">
          <button
            type="button"
            className="vf-button vf-primary vf-block"
            onClick={() => {
              setMarked(null)
              reset()
              // Text that was typed but not tapped is chosen too.
              onPick(creates && !isFull ? [...chosen, query] : [...chosen])
            }}
          >
            {`${t('widget.confirm')}${chosen.length > 0 ? ` (${chosen.length}${limit > 0 ? `/${limit}` : ''})` : ''}`}
          </button>
        </div>
      ) : null}
    </PickerSheet>
  )
}
