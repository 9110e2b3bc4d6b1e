import type { Engine } from '../../core/engine.ts'
import type { NodeKey } from '../../core/page/page.ts'

/** Makes one child of a container visible: opens its pane, scrolls its window. */
type Opener = (child: NodeKey) => void

/** Reveals fields whose views are not mounted: containers register how their children are opened. */
export interface Revealer {
  /** @returns a function that unregisters the opener */
  register(container: NodeKey, open: Opener): () => void
  /** Opens the containers of a node from the outside in, scrolls it into the middle and focuses its control. */
  reveal(key: NodeKey): Promise<void>
}

/** The root of a page as a container. */
export const PAGE_ROOT: NodeKey = ''

const FRAMES = 40
const FOCUSABLE = 'input, textarea, select, button, [tabindex]'

/**
 * @param root  the page's element; null before it is mounted
 */
export function createRevealer(engine: Engine, root: () => HTMLElement | null): Revealer {
  const openers = new Map<NodeKey, Set<Opener>>()
  return {
    register(container, open) {
      const callbacks = openers.get(container) ?? new Set()
      openers.set(container, callbacks.add(open))
      return () => callbacks.delete(open)
    },
    async reveal(key) {
      await null // openers render synchronously, which is not allowed during a render
      const path = pathTo(engine, key)
      for (const [i, child] of path.entries()) {
        const container = i === 0 ? PAGE_ROOT : path[i - 1]
        if (container === undefined) continue
        for (const open of openers.get(container) ?? []) open(child)
        await mounted(root, child)
      }
      const element = elementOf(root, key)
      element?.scrollIntoView({ block: 'center' })
      window.dispatchEvent(new Event('scroll')) // makes windowed lists render their surroundings now instead of in the next frame
      element?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true })
    },
  }
}

/** From the outermost container to the node itself; nodes of a sub-form row are below the sub-form. */
function pathTo(engine: Engine, key: NodeKey): NodeKey[] {
  const path: NodeKey[] = [key]
  const row = key.includes('@row') ? key.slice(key.lastIndexOf('@row')) : ''
  let at = engine.node(key).node
  while (at.parent !== null) {
    const parent = engine.page.nodes.get(at.parent)
    if (parent === undefined) break
    path.unshift(parent.subForm === null ? parent.key : `${parent.key}${row}`)
    at = parent
  }
  return path
}

/** In the page, or in a layer above it, which is outside of the page's element. */
function elementOf(root: () => HTMLElement | null, key: NodeKey): HTMLElement | null {
  const selector = `[data-key="${CSS.escape(key)}"]`
  return root()?.querySelector<HTMLElement>(selector) ?? document.querySelector(`.vf-layer ${selector}`)
}

/** Waits until the node's element is mounted; gives up after some frames, since a hidden one never is. */
async function mounted(root: () => HTMLElement | null, key: NodeKey): Promise<void> {
  for (let frame = 0; frame < FRAMES && elementOf(root, key) === null; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
