import type { ViewProps } from '../view.ts'

/** Cells side by side while they fit, below each other when they don't. */
export function View({ body }: ViewProps) {
  return <div className="vf-table">{body}</div>
}
