import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect } from 'react'

const CONTROLS = 'input, select'
const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Keyboard navigation of a table of boxes: Tab reaches the one that was used last, the arrows move within the row or column. */
export function useMatrixKeys(root: RefObject<HTMLTableElement | null>) {
  useEffect(() => {
    const table = root.current
    if (table === null || table.querySelector('[tabindex="0"]') !== null) return
    const first = table.querySelector<HTMLElement>(`:is(${CONTROLS}):enabled`)
    if (first !== null) first.tabIndex = 0
  })
  return {
    onFocus({ target }: FocusEvent<HTMLTableElement>) {
      if (!target.matches(CONTROLS)) return
      for (const other of root.current?.querySelectorAll<HTMLElement>('[tabindex="0"]') ?? [])
        other.tabIndex = -1
      target.tabIndex = 0
    },
    onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
      const step = STEPS[event.key]
      const from = event.target
      if (step === undefined || !(from instanceof HTMLElement) || event.altKey || event.ctrlKey) return
      // In a select, the up and down arrows choose an item.
      if (from instanceof HTMLSelectElement && step[0] !== 0 && !event.shiftKey) return
      const next = nextOf(from, step)
      event.preventDefault()
      event.stopPropagation()
      next?.focus()
    },
  }
}

/** The nearest control in that direction; with several in a cell, the one at the same position. */
function nextOf(from: HTMLElement, [down, right]: readonly [number, number]): HTMLElement | null {
  const row = from.closest('tr')
  if (row === null) return null
  if (right !== 0) {
    const inRow = [...row.querySelectorAll<HTMLElement>(`:is(${CONTROLS}):enabled`)]
    return inRow[inRow.indexOf(from) + right] ?? null
  }
  const column = from.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? 0
  const rows = [...(row.closest('table')?.rows ?? [])]
  for (let at = rows.indexOf(row) + down; at >= 0 && at < rows.length; at += down) {
    const found = rows[at]?.cells[column]?.querySelector<HTMLElement>(`:is(${CONTROLS}):enabled`)
    if (found != null) return found
  }
  return null
}
