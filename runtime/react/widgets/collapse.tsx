import type { ViewProps } from '../view.ts'

export function View({ state, body }: ViewProps) {
  return <div className={`vf-collapse${state.options.border === false ? ' vf-bare' : ''}`}>{body}</div>
}
