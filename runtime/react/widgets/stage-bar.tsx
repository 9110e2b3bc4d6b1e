import { sameJson } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

export function View({ state, row }: ViewProps) {
  const fire = useFire(state, row)
  const value = state.value ?? (textOf(state.options.value) || null)
  const at = state.items.findIndex((item) => sameJson(item.value, value))
  return (
    <ol className="vf-stages" aria-label={state.label || state.node.name}>
      {state.items.map((item, i) => (
        <li
          key={JSON.stringify(item.value)}
          className={i < at ? 'vf-past' : i === at ? 'vf-present' : ''}
          aria-current={i === at ? 'step' : undefined}
        >
          <button type="button" onClick={() => void fire('itemClick', [item.value])}>
            {item.label}
          </button>
        </li>
      ))}
    </ol>
  )
}
