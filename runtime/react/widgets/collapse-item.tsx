import { useEffect, useId } from 'react'
import { Glyph } from '../glyph.tsx'
import { textOf } from '../options.ts'
import { usePage } from '../page-context.ts'
import { useFire } from '../use-fire.ts'
import type { ViewProps } from '../view.ts'

export function View({ state, body }: ViewProps) {
  const id = useId()
  const { engine, revealer } = usePage()
  const fire = useFire(state)
  const open = state.options.expand !== false
  const fixed = state.disabled || state.readonly
  useEffect(
    () => revealer.register(state.key, () => engine.setOption(state.key, 'expand', true)),
    [revealer, engine, state.key],
  )
  return (
    <section className="vf-panel">
      <button
        type="button"
        className="vf-panel-head"
        aria-expanded={open}
        aria-controls={id}
        disabled={fixed}
        onClick={() => {
          engine.setOption(state.key, 'expand', !open)
          void fire('toggle', [!open])
        }}
      >
        <span>
          <b>{textOf(state.options.title) || state.label}</b>
          {state.options.title && state.label ? <small>{state.label}</small> : null}
        </span>
        <span className="vf-quiet">{textOf(state.options.value)}</span>
        <Glyph name={open ? 'down' : 'right'} />
      </button>
      <div id={id} hidden={!open}>
        {open ? body : null}
      </div>
    </section>
  )
}
