import type { ViewProps } from '../view.ts'

export function View({ body }: ViewProps) {
  return <>{body}</>
}
