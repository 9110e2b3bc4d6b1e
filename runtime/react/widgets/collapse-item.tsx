import { useEffect, useId } from 'react'
import type { Engine, NodeState } from '../../core/engine.ts'
import { Glyph } from '../kit/glyph.tsx'
import { Icon } from '../kit/icon.tsx'
import { textOf } from '../page/options.ts'
import { usePage } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** In an accordion one panel is open at a time: opening this one closes the others. */
function shutOthers(engine: Engine, { key, node }: NodeState): void {
  const parent = node.parent === null ? undefined : engine.page.nodes.get(node.parent)
  if (parent?.type !== 'collapse' || engine.node(parent.key).options.accordion === false) return
  for (const other of parent.children) if (other !== key) engine.setOption(other, 'expand', false)
}

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
    <section
      className={`vf-panel${state.options.border === false ? ' vf-bare' : ''}${state.options.size === 'large' ? ' vf-large' : ''}`}
    >
      <button
        type="button"
        className="vf-panel-head"
        aria-expanded={open}
        aria-controls={id}
        disabled={fixed}
        onClick={() => {
          engine.setOption(state.key, 'expand', !open)
          if (!open) shutOthers(engine, state)
          void fire('toggle', [!open])
        }}
      >
        {state.options.icon ? <Icon name={textOf(state.options.icon)} size={20} /> : null}
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
