import { joining } from '../../core/state/listeners.ts'

/** What stands above the pages: sheets, dialogs, previews. */
export interface Layers {
  /** True while one is open. */
  readonly isOpen: () => boolean
  /** Asks the top-most one to close; it may stay, as one that must be answered does. @returns false when none is open */
  readonly closeTop: () => boolean
  /** Calls `listener` whenever one comes or goes; returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
}

/** One of them. */
export interface Layer {
  /** Nothing was opened above it since. */
  readonly isTop: () => boolean
  readonly remove: () => void
}

type Close = () => void

let open: readonly Close[] = []
const listeners = new Set<() => void>()

/**
 * The layers of the document, in the order they were opened. The top-most one has the keys (Escape, Tab), and the user's Back closes
 * it before it leaves a page.
 */
export const layers: Layers = {
  isOpen: () => open.length > 0,
  closeTop() {
    const close = open.at(-1)
    close?.()
    return close !== undefined
  },
  subscribe: joining(listeners),
}

/** Says that a layer is open above all others, and how it is asked to close. */
export function addLayer(close: Close): Layer {
  const own: Close = () => close()
  change([...open, own])
  return {
    isTop: () => open.at(-1) === own,
    remove: () => change(open.filter((it) => it !== own)),
  }
}

function change(next: readonly Close[]): void {
  open = next
  for (const listener of listeners) listener()
}
