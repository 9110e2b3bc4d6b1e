import { type ComponentType, createContext } from 'react'
import type { NodeState } from '../../core/engine.ts'

/** A component that a container adds to the heads of its groups; null for none. */
export const GroupHead = createContext<ComponentType<{ readonly group: NodeState }> | null>(null)
