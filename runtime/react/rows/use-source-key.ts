import { useCallback, useSyncExternalStore } from 'react'
import type { Engine } from '../../core/engine.ts'
import { type Json, ownValue } from '../../core/json.ts'

/** What a source would ask now; changes `debounceMs` after the values it reads, at once when there is no such pause. */
export function useSourceKey(engine: Engine, name: string): Json | null {
  const pause = ownValue(engine.page.dataSources.get(name), 'debounceMs')
  const delayMs = typeof pause === 'number' ? pause : 0
  const subscribe = useCallback(
    (listener: () => void) => {
      let cancel = () => {}
      const end = engine.subscribeScope(() => {
        cancel()
        if (delayMs === 0) listener()
        else cancel = engine.ports.clock.after(delayMs, listener)
      })
      return () => {
        cancel()
        end()
      }
    },
    [engine, delayMs],
  )
  const read = useCallback(() => JSON.stringify(engine.sourceKey(name)), [engine, name])
  return JSON.parse(useSyncExternalStore(subscribe, read)) as Json
}
