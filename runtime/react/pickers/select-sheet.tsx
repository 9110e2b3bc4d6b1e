import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson } from '../../core/json.ts'
import { asList } from '../../core/widgets/values.ts'
import { BottomSheet } from '../bottom-sheet.tsx'
import { Glyph } from '../glyph.tsx'
import { ItemsNote } from '../items-note.tsx'
import { useText } from '../page-context.ts'
import { useFire } from '../use-fire.ts'

interface Props {
  readonly state: NodeState
  readonly open: boolean
  readonly onClose: () => void
  readonly onPick: (value: Json) => void
}

/** From so many items on there is a search box. */
const SEARCH_FROM = 15
/** More are not drawn: the search narrows them. */
const DRAWN = 200

/** The choices of a select, from the bottom. One: a tap chooses and closes. Several: a tap marks, the button takes them over. */
export default function SelectSheet({ state, open, onClose, onPick }: Props) {
  const t = useText()
  const fire = useFire(state)
  const several = state.options.multiple === true
  const [keyword, setKeyword] = useState('')
  const [marked, setMarked] = useState<readonly Json[] | null>(null)
  const chosen = marked ?? (asList(state.value) as readonly Json[])
  const isChosen = (value: Json) => chosen.some((one) => sameJson(one, value))
  const searched =
    state.options.remote === true || state.options.filterable === true || state.items.length >= SEARCH_FROM
  const found = state.items.filter(
    (item) =>
      state.options.remote === true || item.label.toLowerCase().includes(keyword.trim().toLowerCase()),
  )
  const close = () => {
    setMarked(null)
    setKeyword('')
    onClose()
  }
  const tap = (value: Json) => {
    if (!several) {
      setKeyword('')
      onPick(value)
      return
    }
    const limit = Number(state.options.multipleLimit ?? 0)
    if (isChosen(value)) setMarked(chosen.filter((one) => !sameJson(one, value)))
    else if (limit <= 0 || chosen.length < limit) setMarked([...chosen, value])
  }
  const search = (text: string) => {
    setKeyword(text)
    if (state.options.remote === true) void fire('remoteQuery', [text])
  }
  return (
    <BottomSheet open={open} title={state.label || t('widget.choose')} onClose={close}>
      {searched ? (
        <div className="vf-sheet-search">
          <input
            className="vf-search-box"
            type="search"
            aria-label={t('widget.search')}
            placeholder={t('widget.search')}
            value={keyword}
            onChange={(event) => search(event.target.value)}
          />
        </div>
      ) : null}
      <div
        className="vf-options"
        role="listbox"
        aria-label={state.label}
        aria-multiselectable={several || undefined}
      >
        {found.slice(0, DRAWN).map((item) => (
          <button
            key={JSON.stringify(item.value)}
            type="button"
            role="option"
            aria-selected={isChosen(item.value)}
            className="vf-option"
            disabled={item.disabled === true}
            onClick={() => tap(item.value)}
          >
            <span>{item.label}</span>
            {isChosen(item.value) ? <Glyph name="check" size={20} /> : null}
          </button>
        ))}
      </div>
      {found.length === 0 ? (
        <div className="vf-options-none">
          {state.items.length > 0 ? t('widget.search.none') : <ItemsNote state={state} />}
        </div>
      ) : null}
      {several ? (
        <div className="vf-sheet-foot">
          <button
            type="button"
            className="vf-button vf-primary vf-block"
            onClick={() => {
              setMarked(null)
              onPick([...chosen])
            }}
          >
            {`${t('widget.confirm')}${chosen.length > 0 ? ` (${chosen.length})` : ''}`}
          </button>
        </div>
      ) : null}
    </BottomSheet>
  )
}
