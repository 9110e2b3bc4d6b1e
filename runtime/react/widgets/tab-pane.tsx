import type { ViewProps } from '../page/view.ts'

export function View({ body }: ViewProps) {
  return <>{body}</>
}
