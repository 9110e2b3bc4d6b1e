import { useEffect, useState } from 'react'
import { OPEN_LAYER } from '../../../runtime/react/layers/layers.ts'

export type Opened = 'palette' | 'keys' | null

const TYPED = 'input, textarea, select, [contenteditable]'
const SEARCH = 'section.page:not([hidden]) .vf-search-input'
const MAIN_BUTTON = '.vf-button.vf-primary:not(.vf-small)'

/** Keyboard shortcuts of every page on a desktop: Ctrl K, Ctrl Enter, and outside of inputs ? and /. */
export function useDeskKeys(): readonly [Opened, (next: Opened) => void] {
  const [opened, setOpened] = useState<Opened>(null)
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      // For an editor with its own shadow root, the event's target is only the host.
      const [at] = event.composedPath()
      const isTyping = at instanceof Element && at.closest(TYPED) !== null
      const isCommand = event.ctrlKey || event.metaKey
      if (event.key === 'k' && isCommand) setOpened('palette')
      else if (event.key === 'Enter' && isCommand && !event.defaultPrevented && !event.repeat) pressMain()
      else if (isTyping || isCommand || isCovered()) return
      else if (event.key === '?') setOpened('keys')
      else if (event.key === '/') document.querySelector<HTMLElement>(SEARCH)?.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', keys)
    return () => document.removeEventListener('keydown', keys)
  }, [])
  return [opened, setOpened]
}

/** Presses the main button of the form in sight: of the topmost layer, else of the page with the focus. */
function pressMain(): void {
  if (document.querySelector('dialog[open]') !== null) return
  const inSight = (selector: string, root: ParentNode = document) =>
    [...root.querySelectorAll<HTMLElement>(selector)].filter((it) => it.getClientRects().length > 0)
  const pages = inSight('section.page')
  const form =
    inSight(OPEN_LAYER).at(-1) ?? pages.find((page) => page.contains(document.activeElement)) ?? pages.at(-1)
  if (form === undefined || inSight('.vf-field', form).length === 0) return
  const main = inSight(MAIN_BUTTON, form).at(-1)
  // A field writes what was typed when it loses the focus.
  main?.focus()
  main?.click()
}

const isCovered = (): boolean => document.querySelector('dialog[open], .vf-layer') !== null
