/** Makes the subscribe function of a set of listeners: it adds a listener and returns its unsubscribe function. */
export function subscriber<T>(listeners: Set<T>): (listener: T) => () => void {
  return (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}
