import type { ComponentType, ReactNode } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'

/** What every view gets. `state` is immutable; a new one means something to draw has changed. */
export interface ViewProps {
  readonly state: NodeState
  /** The data row, when the widget stands in a card of a list. */
  readonly row: JsonObject | undefined
  /** Its children, ready to be placed; null for leaves. */
  readonly body: ReactNode
}

export type View = ComponentType<ViewProps>
