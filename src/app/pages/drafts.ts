import type { Draft, Engine } from '../../../runtime/core/engine.ts'
import type { Page } from '../../../runtime/core/page/page.ts'

export interface Drafts {
  /**
   * The place for the input of a page while it is open: no other open page has it, in this tab or another. It has the draft that an earlier visit
   * left there. Undefined if it could not be had: the input is not kept.
   *
   * @param typed  the input of a page that was closed to save memory: its own place, or an empty one
   */
  take(key: string, page: Page, typed?: Draft): Promise<DraftPlace | undefined>
  /** Deletes one of the drafts named by {@link of}. */
  remove(name: string): Promise<void>
  /** Names of all drafts of one owner on this device. */
  of(owner: string): Promise<readonly string[]>
}

export interface DraftPlace {
  /** What was there when it was taken. */
  readonly draft: Draft | undefined
  remove(): Promise<void>
  /** Saves the page's input, at most `debounceMs` late; after a new version of the page, of its new engine. */
  watch(engine: Engine): void
  /** Saves immediately. */
  flush(): Promise<void>
  /** Saves everything unsaved synchronously: the tab may close immediately afterwards. */
  keepNow(): void
  /** Saves for the last time and leaves the place to other visits. */
  close(): Promise<void>
}

/** True if the page keeps its input until it is submitted (PAGE-FORMAT, draft). */
export function keepsDraft(page: Page): boolean {
  return page.settings.draft ?? JSON.stringify(page.document).includes('"do":"submit"')
}

/** The name of a page's draft: one user in one tenant, one url. */
export function draftKey(owner: string, url: string): string {
  return `draft:${owner}:${url}`
}
