import { useEffect, useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { textOf } from '../page/options.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Hidden while the user scrolls down, since it may cover content; shown again when scrolling up. */
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

/** Minimum scroll distance in px: a windowed list corrects its position upwards by itself. */
const DOWN_PX = 8
const UP_PX = 48

/** True after scrolling down until the window is scrolled up. */
function useScrollsDown(): boolean {
  const [isDown, setIsDown] = useState(false)
  useEffect(() => {
    let turn = window.scrollY // the farthest position in the current direction
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
