/** GET /engine/web/dict/list: values by dictionary key (DOMAIN 1.14). */
export type DictMap = Readonly<Record<string, readonly DictEntry[]>>

export interface DictEntry {
  readonly label: string
  readonly value: string
  /** Shown on old records, no longer offered. */
  readonly disable: boolean
  readonly color: string
  readonly isDefault?: boolean
  readonly children?: readonly DictEntry[]
  readonly ext?: unknown
}
