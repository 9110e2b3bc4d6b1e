import { useEffect, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { usePage } from '../page/page-context.ts'

/** True from the first opening of a layer; a field in it that must be revealed opens it. */
export function useWanted(state: NodeState): boolean {
  const { engine, revealer } = usePage()
  const open = state.options.open === true
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  useEffect(
    () => revealer.register(state.key, () => engine.setOption(state.key, 'open', true)),
    [engine, revealer, state.key],
  )
  return wanted || open
}
