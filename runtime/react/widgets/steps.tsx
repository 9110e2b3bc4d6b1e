import { Glyph } from '../kit/glyph.tsx'
import { Pressable } from '../kit/pressable.tsx'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Titles on a line of dots; earlier steps are done, the current one has a check. */
export function View({ state, row }: ViewProps) {
  const t = useText()
  const fire = useFire(state, row)
  const { options } = state
  const items = objectsOf(options.options)
  const active = numberOf(state.value, numberOf(options.active, 0))
  const keys = items.map((item, i) => `${i} ${textOf(item.title)}`)
  const pressed = listensTo(state, 'itemClick')
  const colour = (i: number) => textOf(i <= active ? options.activeColor : options.deactiveColor) || undefined
  return (
    <ol
      className={`vf-steps${options.direction === 'column' ? ' vf-column' : ''}`}
      aria-label={state.label || t('steps.label')}
    >
      {items.map((item, i) => {
        const inner = (
          <>
            <span className="vf-step-title">{textOf(item.title)}</span>
            {item.desc ? <small>{textOf(item.desc)}</small> : null}
          </>
        )
        return (
          <li
            key={keys[i]}
            className={i < active ? 'vf-done' : i === active ? 'vf-now' : 'vf-ahead'}
            aria-current={i === active ? 'step' : undefined}
          >
            <i aria-hidden="true" style={{ background: colour(i) }}>
              {i === active ? <Glyph name="check" size={14} /> : null}
            </i>
            <b aria-hidden="true" style={{ background: colour(i + 1) }} />
            {pressed ? (
              <Pressable onPress={() => void fire('itemClick', [i])}>{inner}</Pressable>
            ) : (
              <div>{inner}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
