import { useCallback, useSyncExternalStore } from 'react'
import type { Engine } from '../../core/engine.ts'
import { type Json, ownValue } from '../../core/json.ts'

/** The current request of a source; changes `debounceMs` after its inputs, or immediately without a debounce. */
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
