import { RangeField } from '../fields/range-field.tsx'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  return <RangeField state={state} kind="time" />
}
