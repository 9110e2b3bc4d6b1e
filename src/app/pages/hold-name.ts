/** A page that is being reloaded may hold its names a moment longer. */
const PATIENCE_MS = 200

/**
 * Holds a name for this page with a Web Lock, which also ends with the tab, until the result is called; null if another page goes on holding it. Without
 * Web Locks (plain HTTP) nobody is told apart: every page may have it.
 */
export async function holdName(name: string): Promise<(() => Promise<void>) | null> {
  if (navigator.locks === undefined) return async () => {}
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return new Promise((answer) => {
    const held = navigator.locks.request(name, { signal }, () => {
      return new Promise<void>((end) => {
        answer(() => {
          end()
          return held
        })
      })
    })
    // Otherwise a browser that forbids locks.
    held.catch(() => answer(signal.aborted ? null : async () => {}))
  })
}
