import { useEffect, useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { textOf } from '../page/options.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Out of the way of what it would cover while the page is read downwards; back at once on the way up. */
export function View({ state }: ViewProps) {
  const fire = useFire(state)
  const away = useScrollsDown()
  const wide = state.options.extended === true
  return (
    <button
      type="button"
      className={`vf-fab${wide ? ' vf-fab-wide' : ''}${away ? ' vf-away' : ''}`}
      aria-label={state.label || state.node.name}
      onClick={() => void fire('click')}
    >
      <Icon name={textOf(state.options.icon) || 'add'} size={24} />
      {wide ? <span>{state.label}</span> : null}
    </button>
  )
}

/** How far one scrolls before it is meant: a window of rows corrects its place upwards by itself. */
const DOWN_PX = 8
const UP_PX = 48

/** True from when the window was scrolled down until it is scrolled up again. */
function useScrollsDown(): boolean {
  const [isDown, setIsDown] = useState(false)
  useEffect(() => {
    let turn = window.scrollY // the farthest in the present direction
    let down = false
    const look = () => {
      const at = window.scrollY
      const back = down ? turn - at : at - turn
      if (back < 0) turn = at
      if (at > 0 && back <= (down ? UP_PX : DOWN_PX)) return
      down = at > 0 && !down
      turn = at
      setIsDown(down)
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return isDown
}
