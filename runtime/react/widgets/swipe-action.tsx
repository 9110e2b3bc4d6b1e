import { numberOf, objectsOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { SwipeRow } from '../rows/swipe-row.tsx'

/** Its children with buttons behind the edges; the option `show` has the open side. */
export function View({ state, row, body }: ViewProps) {
  const engine = useEngine()
  const fire = useFire(state, row)
  const { options } = state
  if (options.disabled === true || state.disabled) return <>{body}</>
  const show = options.show === 'left' || options.show === 'right' ? options.show : 'none'
  return (
    <SwipeRow
      actions={objectsOf(options.rightOptions)}
      left={objectsOf(options.leftOptions)}
      show={show}
      autoClose={options.autoClose !== false}
      threshold={numberOf(options.threshold, 20)}
      onAction={(name) => void fire('swipe', [name])}
      onShow={(side) => {
        if (side === show) return
        engine.setOption(state.key, 'show', side)
        void fire('change', [side])
      }}
    >
      <div className="vf-swipe-body">{body}</div>
    </SwipeRow>
  )
}
