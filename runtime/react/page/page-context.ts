import { type ComponentType, createContext, useContext } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { NodeKey } from '../../core/page/page.ts'
import type { Text } from '../../core/ports.ts'
import type { Revealer } from './revealer.ts'
import type { ViewRegistry } from './view-registry.ts'

export interface PageContextValue {
  readonly engine: Engine
  readonly views: ViewRegistry
  readonly revealer: Revealer
  /** The class that the page's own css is for; '' when it has none. */
  readonly scope: string
  /** Draws the children of a container; handed in, since children hold children. */
  readonly Children: ComponentType<{ readonly container: NodeKey; readonly keys: readonly NodeKey[] }>
  /** Draws another page inside of this one (a form on trial); handed in, since views stand inside pages. */
  readonly Page: ComponentType<{ readonly engine: Engine }>
  /** Called at each draw of a widget; only a stage that counts draws hands it in. */
  readonly onDraw?: ((key: string) => void) | undefined
}

export const PageContext = createContext<PageContextValue | null>(null)

/** What belongs to the open page. Views stand inside a PageView, always. */
export function usePage(): PageContextValue {
  const page = useContext(PageContext)
  if (page === null) throw new Error('a view was drawn outside of a PageView')
  return page
}

export const useEngine = (): Engine => usePage().engine

/** Texts a user can see, by code. */
export const useText = (): Text => useEngine().ports.text

/** Name of the child of the nearest `line` that takes the free space. */
export const GrowingChild = createContext('')

/** False inside panels that scroll by themselves: there, children are all mounted. */
export const WindowScroll = createContext(true)

/** False while the page is kept mounted out of sight: what measures the screen stands still then. */
export const PageVisible = createContext(true)
