import { Icon } from '../icon.tsx'
import { textOf } from '../options.ts'
import { useFire } from '../use-fire.ts'
import type { ViewProps } from '../view.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const fire = useFire(state)
  const wide = state.options.extended === true
  return (
    <button
      type="button"
      className={`vf-fab${wide ? ' vf-fab-wide' : ''}`}
      aria-label={state.label || state.node.name}
      onClick={() => void fire('click')}
    >
      <Icon name={textOf(state.options.icon) || 'add'} size={24} />
      {wide ? <span>{state.label}</span> : null}
    </button>
  )
}
