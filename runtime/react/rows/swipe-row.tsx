import { type ReactNode, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import type { SwipeSide } from '../../core/widgets/swiping.ts'
import { textOf } from '../page/options.ts'
import { useSwipe } from './use-swipe.ts'
import '../styles/extra.css'

interface Props {
  readonly actions: readonly JsonObject[]
  /** Actions behind the left edge. */
  readonly left?: readonly JsonObject[]
  /** The open side; a change opens or closes it. */
  readonly show?: SwipeSide
  /** Closes after one of its buttons was pressed or something else was touched; default true. */
  readonly autoClose?: boolean
  /** Distance in px of a swipe that opens it; default 20. */
  readonly threshold?: number
  /** The actions are rendered at the first touch or focus, so that scrolling a list stays cheap. Requires focusable content in the row. */
  readonly lazy?: boolean
  readonly onAction: (name: string) => void
  readonly onShow?: (side: SwipeSide) => void
  readonly children: ReactNode
}

const THRESHOLD_PX = 20
const NONE: readonly JsonObject[] = []

/**
 * A row with actions behind its edges. Keyboards reach them: a focused action opens its side. Written here and not taken from the widget library,
 * whose row keeps a spring and a gesture recognizer for each card of a list: a fifth of the script of a card that is scrolled into view.
 */
export function SwipeRow({
  actions,
  left = NONE,
  show = 'none',
  autoClose = true,
  threshold = THRESHOLD_PX,
  lazy = false,
  onAction,
  onShow,
  children,
}: Props) {
  const [isTouched, setTouched] = useState(false)
  const { box, track, change, handlers } = useSwipe({ show, autoClose, threshold, onShow })
  const isReached = !lazy || isTouched || show !== 'none'
  const reach = isReached ? undefined : () => setTouched(true)
  const acts = (side: 'left' | 'right', items: readonly JsonObject[]) => (
    <div className={`vf-swipe-acts vf-${side}`}>
      {(isReached ? items : NONE).map((action) => (
        <button
          key={textOf(action.name)}
          type="button"
          className={`vf-tone-${textOf(action.tone) || 'plain'}`}
          onFocus={() => change(side)}
          onClick={() => {
            if (autoClose) change('none')
            onAction(textOf(action.name))
          }}
        >
          {textOf(action.label)}
        </button>
      ))}
    </div>
  )
  return (
    <div ref={box} className="vf-swipe" onPointerDownCapture={reach} onFocusCapture={reach} {...handlers}>
      <div ref={track} className="vf-swipe-track">
        {acts('left', left)}
        {children}
        {acts('right', actions)}
      </div>
    </div>
  )
}
