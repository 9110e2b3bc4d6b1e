import type { KeyboardEvent } from 'react'
import { sameJson } from '../../core/json.ts'
import { Field, useField } from '../fields/field.tsx'
import { ItemsNote } from '../fields/items-note.tsx'
import { textOf } from '../page/options.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** A segmented radio group; arrow keys move the choice. */
export function View({ state }: ViewProps) {
  const parts = useField(state)
  const fire = useFire(state)
  const { items, options } = state
  const at = Math.max(
    0,
    items.findIndex((item) => sameJson(item.value, state.value)),
  )
  const pick = (index: number) => {
    const item = items[index]
    if (item === undefined || item.disabled === true || sameJson(item.value, state.value)) return
    parts.change(item.value)
    void fire('clickItem', [{ currentIndex: index }])
  }
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0 || !parts.open) return
    event.preventDefault()
    const next = (at + by + items.length) % items.length
    pick(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  const colour = textOf(options.activeColor)
  const paint = (on: boolean) => {
    if (colour === '' || !on) return undefined
    return { [options.styleType === 'text' ? 'color' : 'background']: colour, borderColor: colour }
  }
  return (
    <Field state={state} parts={parts} group>
      <ItemsNote state={state} />
      <div
        role="radiogroup"
        className={`vf-segments${options.styleType === 'text' ? ' vf-plain' : ''}`}
        {...parts.naming}
        aria-describedby={parts.aria['aria-describedby']}
        onKeyDown={keys}
      >
        {items.map((item, i) => (
          // biome-ignore lint/a11y/useSemanticElements: a native radio cannot be drawn as a segment that is pressed
          <button
            key={JSON.stringify(item.value)}
            type="button"
            role="radio"
            aria-checked={i === at}
            tabIndex={i === at ? 0 : -1}
            style={paint(i === at)}
            disabled={!parts.open || item.disabled === true}
            onClick={() => pick(i)}
          >
            {item.label}
          </button>
        ))}
      </div>
    </Field>
  )
}
