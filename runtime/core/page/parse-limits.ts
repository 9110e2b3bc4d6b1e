/** Limits of one document, inclusive. */
export interface ParseLimits {
  /** Characters of the document as JSON; default 2 MiB. */
  readonly size: number
  /** Levels of widgets inside each other; default 64. */
  readonly depth: number
  /** Widgets altogether, fragments included; default 5000. */
  readonly widgets: number
}

export const PARSE_LIMITS: ParseLimits = { size: 2 * 1024 * 1024, depth: 64, widgets: 5000 }
