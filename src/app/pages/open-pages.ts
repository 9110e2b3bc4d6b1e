import type { Draft } from '../../../runtime/core/engine.ts'
import { aliveIn, type Entry, type PageStack, topOf } from '../navigation/page-stack.ts'
import { createStore, type Store } from '../store.ts'
import type { OpenPage } from './open-page.ts'

/** Opened pages in memory, by the id of their entry. */
export interface OpenPages {
  readonly all: Store<ReadonlyMap<string, OpenPage>>
  /**
   * Closes pages that left the stack and opens the visible ones; hide comes before load and show (SHELL 1.3).
   *
   * @param beside  a page below that is visible too
   */
  follow(stack: PageStack, beside?: Entry | null): void
  /** A page has completed an action: if it is closed by now, the visible page is shown again. */
  done(by: Entry): void
  /** Closes every page; the next `follow` starts over. */
  closeAll(): void
}

/**
 * @param open  `typed`: the input of a page that was closed to save memory
 * @param limit  maximum number of pages in memory. The one that was hidden longest is closed first and opened again from its url when the user comes
 * back. Its input is kept while it is in the stack, whether or not the page keeps drafts
 */
export function createOpenPages(
  open: (entry: Entry, typed: Draft | undefined) => OpenPage,
  limit: number,
): OpenPages {
  const all = createStore<ReadonlyMap<string, OpenPage>>(new Map())
  const typed = new Map<string, Draft>()
  let shown: OpenPage | null = null

  /** The input of a page that was closed to save memory, once. */
  function take(id: string): Draft | undefined {
    const values = typed.get(id)
    typed.delete(id)
    return values
  }

  function close(page: OpenPage): void {
    page.setVisible(false)
    if (shown === page) shown = null
    void page.close()
  }

  return {
    all,
    follow(stack, beside = null) {
      const top = topOf(stack)
      const alive = new Set(aliveIn(stack).map((entry) => entry.id))
      const current = all.get()
      if (shown !== null && shown.entry.id !== top.id) shown.setVisible(false)

      for (const page of current.values()) if (!alive.has(page.entry.id)) close(page)
      const remaining = [...current].filter(([id]) => alive.has(id) && id !== top.id && id !== beside?.id)
      if (beside !== null)
        remaining.push([beside.id, current.get(beside.id) ?? open(beside, take(beside.id))])
      const overfull = remaining.splice(0, Math.max(0, remaining.length - (limit - 1)))
      for (const [id, page] of overfull) {
        const values = page.typed()
        if (values !== undefined) typed.set(id, values)
        close(page)
      }
      for (const id of [...typed.keys()]) if (!alive.has(id)) typed.delete(id)

      shown = current.get(top.id) ?? open(top, take(top.id))
      // The visible page is last, so the first of the map was hidden longest.
      all.set(new Map([...remaining, [top.id, shown]]))
      shown.setVisible(true)
    },
    done(by) {
      if (!all.get().has(by.id)) shown?.showAnew()
    },
    closeAll() {
      for (const page of all.get().values()) close(page)
      typed.clear()
      all.set(new Map())
    },
  }
}
