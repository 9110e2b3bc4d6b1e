import { useEffect } from 'react'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { type Act, editOf } from './acts.ts'
import type { Bench } from './bench-state.ts'
import { childrenOf } from './placing.ts'
import { fromClipboard, pasted, removed, toClipboard } from './selection.ts'

/** Keyboard shortcuts that work while no text is being typed. */
export function useKeys(bench: Bench): void {
  useEffect(() => {
    const stop = new AbortController()
    const on = <K extends keyof WindowEventMap>(name: K, listen: (event: WindowEventMap[K]) => void): void =>
      addEventListener(name, listen, { signal: stop.signal })
    on('keydown', (event) => keyDown(bench, event))
    on('copy', (event) => copy(bench, event))
    on('cut', (event) => {
      const { editing } = bench.get()
      const edit =
        copy(bench, event) && editing !== null ? removed(editing.document, bench.selection()) : null
      if (edit !== null) bench.perform(edit)
    })
    on('paste', (event) => paste(bench, event))
    return () => stop.abort()
  }, [bench])
}

function keyDown(bench: Bench, event: KeyboardEvent): void {
  const { editing } = bench.get()
  if (editing === null || event.defaultPrevented || hasOpenDialog()) return
  const isCommand = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  if (isCommand && (key === 'z' || key === 'y')) {
    if (isInEditor(event)) return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) bench.redo()
    else bench.undo()
    return
  }
  if (isTyping(event)) return
  if (key === 'escape') bench.select(null)
  else if (isCommand && key === 'a') {
    event.preventDefault()
    selectNeighbours(bench)
  } else {
    const act = actOf(event, isCommand)
    const edit = act === null ? null : editOf(act, editing.document, bench.selection())
    if (act === null || editing.selected === null) return
    event.preventDefault()
    if (edit !== null) bench.perform(edit)
  }
}

function actOf(event: KeyboardEvent, isCommand: boolean): Act | null {
  const key = event.key.toLowerCase()
  if (!isCommand && (key === 'delete' || key === 'backspace')) return 'remove'
  if (event.altKey && !isCommand) return key === 'h' ? 'hide' : (STEPS[event.key] ?? null)
  if (!isCommand) return null
  if (key === 'd') return 'duplicate'
  if (key === 'g') return event.shiftKey ? 'unwrap' : 'wrap'
  return null
}

const STEPS: Readonly<Record<string, Act>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** All items in the list of the selected one. */
function selectNeighbours(bench: Bench): void {
  const { editing } = bench.get()
  const item = editing?.selected == null ? undefined : itemsOf(editing.document).get(editing.selected)
  if (editing === null || item === undefined) return
  for (const { key } of childrenOf(editing.document, item.parent, item.slot))
    if (!bench.selection().includes(key)) bench.pick(key)
}

/** The selection as text for any other page. False if the browser should copy. */
function copy(bench: Bench, event: ClipboardEvent): boolean {
  const { editing } = bench.get()
  const keys = bench.selection()
  const isText = getSelection()?.isCollapsed === false
  if (editing === null || keys.length === 0 || isText || isTyping(event) || hasOpenDialog()) return false
  const text = toClipboard(editing.document, keys)
  event.clipboardData?.setData('text/plain', text)
  event.preventDefault()
  bench.clip(text)
  return true
}

function paste(bench: Bench, event: ClipboardEvent): void {
  const { editing } = bench.get()
  if (editing === null || isTyping(event) || hasOpenDialog()) return
  const items = fromClipboard(event.clipboardData?.getData('text/plain') ?? '')
  const edit = pasted(editing.document, items, editing.selected)
  if (edit === null) return
  event.preventDefault()
  bench.perform(edit)
}

/** An open dialog handles its own keys. */
const hasOpenDialog = (): boolean => document.querySelector('dialog[open]') !== null

const isTyping = (event: Event): boolean =>
  event.composedPath().some((one) => one instanceof HTMLElement && isTyped(one))

const isTyped = (element: HTMLElement): boolean =>
  element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)

/** The text editor has its own undo, with the same history. */
const isInEditor = (event: KeyboardEvent): boolean =>
  event.composedPath().some((one) => one instanceof HTMLElement && one.classList.contains('cm-editor'))
