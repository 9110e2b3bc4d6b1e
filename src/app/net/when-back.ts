import type { Clock } from '../../../runtime/core/ports.ts'
import type { Store } from '../store.ts'

const FIRST_MS = 1_000
const CALM_MS = 120_000

/**
 * Runs `act` when the network is back. While it goes and comes, as it seems where one call of a page fails every time, the pause before `act` grows:
 * none, 1 s, 3 s, 7 s, … Two minutes later there is none again.
 */
export function whenBack(online: Store<boolean>, clock: Clock, act: () => void): void {
  let pause = 0
  let stop = () => {}
  online.subscribe(() => {
    stop()
    if (!online.get()) return
    stop = clock.after(pause, () => {
      if (pause === 0)
        clock.after(CALM_MS, () => {
          pause = 0
        })
      pause = pause * 2 + FIRST_MS
      act()
    })
  })
}
