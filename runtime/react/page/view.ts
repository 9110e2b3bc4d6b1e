import type { ComponentType, ReactNode } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'

/** The props of every view. `state` is immutable; a new object means that something to draw has changed. */
export interface ViewProps {
  readonly state: NodeState
  /** The data row, if the widget is in a card of a list. */
  readonly row: JsonObject | undefined
  /** Its rendered children; null for leaves. */
  readonly body: ReactNode
}

export type View = ComponentType<ViewProps>
