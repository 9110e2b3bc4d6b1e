/** Makes the subscribe function of a set of listeners: it adds a listener and returns its unsubscribe function. */
export function subscriber<T>(listeners: Set<T>): (listener: T) => () => void {
  return (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}

/** The same for listeners by key: the set of a key exists while it has listeners. */
export function subscriberAt<K, T>(listeners: Map<K, Set<T>>): (key: K, listener: T) => () => void {
  return (key, listener) => {
    const subscribed = listeners.get(key) ?? new Set()
    listeners.set(key, subscribed.add(listener))
    return () => {
      subscribed.delete(listener)
      if (subscribed.size === 0 && listeners.get(key) === subscribed) listeners.delete(key)
    }
  }
}
