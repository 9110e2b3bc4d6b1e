import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

export function View({ state, body }: ViewProps) {
  return (
    <>
      <div className={`vf-bar${state.options.layout === 'end' ? ' vf-bar-end' : ''}`}>{body}</div>
      <div className="vf-bar-space" />
    </>
  )
}
