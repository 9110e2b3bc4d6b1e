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
  /** The class that limits the page's own CSS to the page; '' if it has none. */
  readonly scope: string
  /** Draws the children of a container; passed by context, since the two import each other otherwise. */
  readonly Children: ComponentType<{ readonly container: NodeKey; readonly keys: readonly NodeKey[] }>
  /** Draws another page inside of this one (a form on trial); passed by context, since views are part of pages. */
  readonly Page: ComponentType<{ readonly engine: Engine }>
  /** Called at each render of a widget; only tests that count renders pass it. */
  readonly onDraw?: ((key: string) => void) | undefined
}

export const PageContext = createContext<PageContextValue | null>(null)

/** The context of the open page. Views are always inside a PageView. */
export function usePage(): PageContextValue {
  const page = useContext(PageContext)
  if (page === null) throw new Error('no PageView')
  return page
}

export const useEngine = (): Engine => usePage().engine

/** Texts of the catalogue, by code. */
export const useText = (): Text => useEngine().ports.text

/** Name of the child of the nearest `line` that takes the free space. */
export const GrowingChild = createContext('')

/** False inside panels that scroll separately: their children are all mounted. */
export const WindowScroll = createContext(true)

/** False while the page is mounted but hidden: code that measures the screen pauses. */
export const PageVisible = createContext(true)
