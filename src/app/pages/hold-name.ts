/**
 * Holds a name for this page with a Web Lock, which also ends with the tab, until the result is called; null while another page holds it. Without Web
 * Locks (plain HTTP) nobody is told apart: every page may have it.
 */
export async function holdName(name: string): Promise<(() => Promise<void>) | null> {
  if (navigator.locks === undefined) return async () => {}
  return new Promise((answer) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return answer(null)
      return new Promise<void>((end) => {
        answer(() => {
          end()
          return held
        })
      })
    })
    // A browser that forbids locks.
    held.catch(() => answer(async () => {}))
  })
}
