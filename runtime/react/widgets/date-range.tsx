import { RangeField } from '../range-field.tsx'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  return <RangeField state={state} kind="date" />
}
