/** The subscription to a set of listeners. @returns the function that adds one and gives back how it leaves */
export function joining<T>(listeners: Set<T>): (listener: T) => () => void {
  return (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}
