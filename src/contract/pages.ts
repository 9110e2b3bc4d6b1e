/** What GET /engine/web/page/stream announces of pages, one JSON object per event. */
export type PageEvent = PageChanged | PageBroken

/** The stream's other event: dictionaries that pages read are others now. */
export interface DictionariesChanged {
  readonly dict: true
}

/** The page at `path` is another one now: read it again. */
interface PageChanged {
  readonly path: string
  readonly etag: string
}

/** An edit of the page at `path` cannot be used; page/detail keeps answering the last good version. */
export interface PageBroken {
  readonly path: string
  readonly problems: readonly PageProblem[]
}

export interface PageProblem {
  readonly code: string
  /** JSON pointer into `file`. */
  readonly at: string
  readonly message: string
  readonly hint: string
  /** From the project's root: `schemas/pages/customer/my/detail.json`. */
  readonly file: string
  /** Place of `at` in the file, from 1. */
  readonly line?: number
  readonly column?: number
}

/** What a page calls a field of a tenant's own begins with it: `ext_wechat`, so that it meets none of the product's. */
export const OWN_FIELD = 'ext_'
