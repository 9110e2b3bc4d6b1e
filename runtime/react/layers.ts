/** What stands above the pages: sheets, dialogs, previews. */
export interface Layers {
  /** True while one is open. */
  readonly isOpen: () => boolean
  /** Asks the top-most one to close; it may stay, as one that must be answered does. @returns false when none is open */
  readonly closeTop: () => boolean
  /** Calls `listener` whenever one comes or goes; returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
}

type Close = () => void

let open: readonly Close[] = []
const listeners = new Set<() => void>()

/** The layers of the document, in the order they were opened: the user's Back closes them before it leaves a page. */
export const layers: Layers = {
  isOpen: () => open.length > 0,
  closeTop() {
    const close = open.at(-1)
    close?.()
    return close !== undefined
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Says that a layer is open above all others. @returns what to call when it is gone */
export function addLayer(close: Close): () => void {
  const layer: Close = () => close()
  change([...open, layer])
  return () => change(open.filter((it) => it !== layer))
}

function change(next: readonly Close[]): void {
  open = next
  for (const listener of listeners) listener()
}
