import { useEffect } from 'react'
import type { Bench } from './bench-state.ts'
import { stepOf } from './placing.ts'

/** Keys that work wherever nothing is being typed. */
export function useKeys(bench: Bench): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const editing = bench.get().editing
      if (editing === null || event.defaultPrevented) return
      const isTyping = event.composedPath().some((one) => one instanceof HTMLElement && isTyped(one))
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key.toLowerCase() === 'z' && !isInEditor(event)) {
        event.preventDefault()
        if (event.shiftKey) bench.redo()
        else bench.undo()
      } else if (isCommand && event.key.toLowerCase() === 'y' && !isInEditor(event)) {
        event.preventDefault()
        bench.redo()
      } else if (!isTyping && editing.selected !== null) {
        const { document, selected } = editing
        if (event.key === 'Delete' || event.key === 'Backspace') {
          event.preventDefault()
          bench.perform({ do: 'remove', id: selected })
        } else if (event.key === 'Escape') bench.select(null)
        else if (event.altKey && STEPS[event.key] !== undefined) {
          const edit = stepOf(document, selected, STEPS[event.key] ?? 'up')
          event.preventDefault()
          if (edit !== null) bench.perform(edit)
        }
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [bench])
}

const STEPS: Readonly<Record<string, 'up' | 'down' | 'in' | 'out'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

const isTyped = (element: HTMLElement): boolean =>
  element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)

/** The text editor takes back by itself, through the same history. */
const isInEditor = (event: KeyboardEvent): boolean =>
  event.composedPath().some((one) => one instanceof HTMLElement && one.classList.contains('cm-editor'))
