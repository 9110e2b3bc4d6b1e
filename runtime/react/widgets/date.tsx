import { MomentField } from '../fields/moment-field.tsx'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  return <MomentField state={state} kind="date" />
}
