import { subscriber } from '../../core/state/listeners.ts'

/** Layers above the pages: sheets, dialogs, previews. */
export interface Layers {
  /** True while at least one is open. */
  readonly isOpen: () => boolean
  /** Asks the topmost one to close; it may refuse, for example if it must be answered. @returns false if none is open */
  readonly closeTop: () => boolean
  /** Calls `listener` whenever one opens or closes; returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** An open layer. */
export interface Layer {
  /** No other layer is above it. */
  readonly isTop: () => boolean
  readonly remove: () => void
}

/** The elements of open sheets, drawers and dialogs, the topmost last; what lets the page below be used is none. */
export const OPEN_LAYER = '.vf-layer:not(.vf-leaving, .vf-layer-light)'

type Close = () => void

let open: readonly Close[] = []
const listeners = new Set<() => void>()

/**
 * The layers of the document in the order they were opened. The topmost one gets the keys (Escape, Tab), and the user's Back closes it before it
 * leaves the page.
 */
export const layers: Layers = {
  isOpen: () => open.length > 0,
  closeTop() {
    const close = open.at(-1)
    close?.()
    return close !== undefined
  },
  subscribe: subscriber(listeners),
}

/** Registers a layer above all others, with the function that asks it to close. */
export function addLayer(close: Close): Layer {
  const closeLayer: Close = () => close()
  change([...open, closeLayer])
  return {
    isTop: () => open.at(-1) === closeLayer,
    remove: () => change(open.filter((it) => it !== closeLayer)),
  }
}

function change(next: readonly Close[]): void {
  open = next
  for (const listener of listeners) listener()
}
