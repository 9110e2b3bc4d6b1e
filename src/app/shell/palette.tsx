import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLayer } from '../../../runtime/react/layers/use-layer.ts'
import { useApp, useStore } from '../app-context.ts'
import { pagesFor, recordsFor, type Target } from '../navigation/palette.ts'

/** Debounce of the search, in milliseconds. */
const PAUSE_MS = 200
const MAX_PAGES = 8

interface PaletteProps {
  /** Pages that are in every menu. */
  readonly fixed: readonly Target[]
  readonly onClose: () => void
  readonly onOpen: (path: string) => void
}

/** A search box for all pages and records, opened by Ctrl K. */
export function Palette({ fixed, onClose, onOpen }: PaletteProps) {
  const { text, session } = useApp()
  const { user } = useStore(session.context)
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  const records = useRecords(query)
  const dialog = useModal(onClose)
  const id = useId()
  const targets = [...pagesFor(user, query, fixed).slice(0, MAX_PAGES), ...records]
  const at = Math.min(current, Math.max(0, targets.length - 1))
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setCurrent((at + by + targets.length) % Math.max(1, targets.length))
    else if (event.key === 'Enter') open(targets[at])
    else return
    event.preventDefault()
  }
  const open = (target: Target | undefined) => {
    if (target === undefined) return
    onClose()
    onOpen(target.path)
  }
  return (
    <dialog ref={dialog} className="palette" aria-label={text('palette.title')} onCancel={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={text('palette.title')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={targets.length === 0 ? undefined : `${id}-${at}`}
        placeholder={text('palette.hint')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setCurrent(0)
        }}
        onKeyDown={keys}
      />
      <div role="listbox" id={id} aria-label={text('palette.title')}>
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above handles the keys
          <div
            key={target.path}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={index === at ? intoSight : undefined}
            onClick={() => open(target)}
          >
            <span>{target.title}</span>
            <small>{target.note}</small>
          </div>
        ))}
      </div>
      {targets.length === 0 && <p role="status">{text('palette.none')}</p>}
    </dialog>
  )
}

const intoSight = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** The results for the last typed words; answers that arrive too late are ignored. */
function useRecords(query: string): readonly Target[] {
  const { quiet } = useApp()
  const [found, setFound] = useState<readonly Target[]>([])
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const records = await recordsFor(quiet, query)
      if (isCurrent) setFound(records)
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [quiet, query])
  return found
}

/** A browser dialog that is open while it is mounted; Back closes it like Escape. */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  useLayer(true, onClose)
  return dialog
}
