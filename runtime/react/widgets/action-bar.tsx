import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

export function View({ state, body }: ViewProps) {
  return (
    <>
      <div ref={keepRoom} className={`vf-bar${state.options.layout === 'end' ? ' vf-bar-end' : ''}`}>
        {body}
      </div>
      <div className="vf-bar-space" />
    </>
  )
}

/** Large text and many buttons make a bar of several rows: what it covers at the end of a page is as high as it is. */
function keepRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return
  const size = new ResizeObserver(() =>
    bar.parentElement?.style.setProperty('--bar', `${bar.offsetHeight}px`),
  )
  size.observe(bar)
  return () => size.disconnect()
}
