import type { NodeKey } from '../page/page.ts'

/**
 * The state of a page is a flat map of cells. A cell is written as a whole and the last writer wins, so the page and the script replica can write
 * concurrently and still converge (HOOKS 1.1).
 */
export type Cell =
  | { readonly kind: 'value'; readonly key: string }
  | { readonly kind: 'option'; readonly key: NodeKey; readonly option: string }
  | { readonly kind: 'rows'; readonly key: NodeKey }
  | { readonly kind: 'data'; readonly name: string }
  | { readonly kind: 'form'; readonly name: string }
  | { readonly kind: 'error'; readonly key: NodeKey }

/** A field's value; `key` is the field's name, or `<name>@row<rowId>` in a sub-form row. */
export const valueCell = (key: string): string => `v/${key}`
/** An option that a script or an action has overridden: hidden, disabled, label, optionItems … */
export const optionCell = (key: NodeKey, option: string): string => `o/${key}/${option}`
/** The list of row ids of a sub-form. */
export const rowsCell = (subForm: NodeKey): string => `r/${subForm}`
/** One entry of the page's `data`. */
export const dataCell = (name: string): string => `d/${name}`
/** A flag of the whole form: `readMode`, `disabled`. */
export const formCell = (name: string): string => `f/${name}`
/** The message shown at a field. */
export const errorCell = (key: NodeKey): string => `e/${key}`

/** The host's variables as left by page code. No rule reads them, so there is no {@link Cell} for them. */
export const VARIABLES_CELL = 'g/'

/** Parses a cell name; undefined for anything else. */
export function parseCell(cell: string): Cell | undefined {
  const rest = cell.slice(2)
  switch (cell.slice(0, 2)) {
    case 'v/':
      return { kind: 'value', key: rest }
    case 'o/': {
      const at = rest.lastIndexOf('/')
      return at > 0 ? { kind: 'option', key: rest.slice(0, at), option: rest.slice(at + 1) } : undefined
    }
    case 'r/':
      return { kind: 'rows', key: rest }
    case 'd/':
      return { kind: 'data', name: rest }
    case 'f/':
      return { kind: 'form', name: rest }
    case 'e/':
      return { kind: 'error', key: rest }
    default:
      return undefined
  }
}

const ROW = '@row'

/** Key of a node in a sub-form row: VForm's own spelling (HOOKS 4.2). */
export const rowKey = (key: string, rowId: string): string => `${key}${ROW}${rowId}`

/** Splits a row reference; `rowId` is null for keys outside of rows. */
export function splitRowKey(key: string): { readonly base: string; readonly rowId: string | null } {
  const at = key.lastIndexOf(ROW)
  return at < 0 ? { base: key, rowId: null } : { base: key.slice(0, at), rowId: key.slice(at + ROW.length) }
}
