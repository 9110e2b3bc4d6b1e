import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson } from '../../core/json.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { asList } from '../../core/widgets/values.ts'
import { BottomSheet } from '../bottom-sheet.tsx'
import { Glyph } from '../glyph.tsx'
import { useText } from '../page-context.ts'

interface Props {
  readonly state: NodeState
  readonly onClose: () => void
  readonly onPick: (value: Json) => void
}

/** One level at a time; the tabs above go back. A choice without children ends it. */
export default function CascaderSheet({ state, onClose, onPick }: Props) {
  const t = useText()
  const [path, setPath] = useState<readonly OptionItem[]>(() => itemsOn(state))
  const level = path.at(-1)?.children ?? (path.length === 0 ? state.items : [])
  const [shown, setShown] = useState(Math.max(0, path.length - 1))
  const list = shown >= path.length ? level : shown === 0 ? state.items : (path[shown - 1]?.children ?? [])
  const tap = (item: OptionItem) => {
    const next = [...path.slice(0, shown), item]
    setPath(next)
    if (item.children && item.children.length > 0) {
      setShown(next.length)
      return
    }
    onPick(next.map((one) => one.value))
    onClose()
  }
  return (
    <BottomSheet open title={state.label || t('widget.choose')} onClose={onClose}>
      <div className="vf-levels">
        {[...path, null].slice(0, Math.max(path.length, shown + 1)).map((item, i) => (
          <button
            key={String(i)}
            type="button"
            className={i === shown ? 'vf-on' : ''}
            onClick={() => setShown(i)}
          >
            {item?.label ?? t('widget.choose')}
          </button>
        ))}
      </div>
      <div className="vf-options" role="listbox" aria-label={state.label}>
        {list.map((item) => {
          const on = sameJson(path[shown]?.value, item.value)
          return (
            <button
              key={JSON.stringify(item.value)}
              type="button"
              role="option"
              aria-selected={on}
              className="vf-option"
              disabled={item.disabled === true}
              onClick={() => tap(item)}
            >
              <span>{item.label}</span>
              {on ? <Glyph name="check" size={20} /> : null}
            </button>
          )
        })}
      </div>
    </BottomSheet>
  )
}

function itemsOn(state: NodeState): readonly OptionItem[] {
  const found: OptionItem[] = []
  let level: readonly OptionItem[] = state.items
  for (const step of asList(state.value) as readonly Json[]) {
    const item = level.find((one) => sameJson(one.value, step))
    if (item === undefined) break
    found.push(item)
    level = item.children ?? []
  }
  return found
}
