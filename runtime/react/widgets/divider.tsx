import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  if (options.direction === 'vertical')
    return <hr className="vf-divider-upright" aria-orientation="vertical" />
  const look = `vf-divider vf-at-${textOf(options.contentPosition) || 'center'}${options.dashed === true ? ' vf-dashed' : ''}`
  return state.label === '' ? <hr className={look} /> : <div className={look}>{state.label}</div>
}
