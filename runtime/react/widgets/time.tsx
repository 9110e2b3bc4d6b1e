import { MomentField } from '../moment-field.tsx'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  return <MomentField state={state} kind="time" />
}
