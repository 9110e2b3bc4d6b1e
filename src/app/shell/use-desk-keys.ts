import { useEffect, useState } from 'react'

export type Opened = 'palette' | 'keys' | null

const TYPED = 'input, textarea, select, [contenteditable]'
const SEARCH = 'section.page:not([hidden]) .vf-search-input'

/** Keyboard shortcuts of every page on a desktop: Ctrl K, and outside of inputs ? and /. */
export function useDeskKeys(): readonly [Opened, (next: Opened) => void] {
  const [opened, setOpened] = useState<Opened>(null)
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      // For an editor with its own shadow root, the event's target is only the host.
      const [at] = event.composedPath()
      const isTyping = at instanceof Element && at.closest(TYPED) !== null
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) setOpened('palette')
      else if (isTyping || event.ctrlKey || event.metaKey || isCovered()) return
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

const isCovered = (): boolean => document.querySelector('dialog[open], .vf-layer') !== null
