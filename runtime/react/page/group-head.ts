import { type ComponentType, createContext } from 'react'
import type { NodeState } from '../../core/engine.ts'

/** What a container puts at the end of the heads of the groups in it; null for nothing. */
export const GroupHead = createContext<ComponentType<{ readonly group: NodeState }> | null>(null)
