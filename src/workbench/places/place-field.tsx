import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t } from '../context.ts'
import { type PlaceWords, placed, placeWords, wordsOf } from './places.ts'
import './places.css'

interface Props {
  readonly id: string
  readonly value: string
  /** Has several lines. */
  readonly rows?: number
  readonly placeholder?: string
  readonly inputMode?: 'decimal' | undefined
  readonly onChange: (text: string) => void
}

/** A text with placeholders: `{{` opens suggestions. */
export function PlaceField({ id, value, rows, placeholder, inputMode, onChange }: Props) {
  const list = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const { words, chosen, look, close, insert, keys } = useWords(field, onChange)
  const isOpen = words !== null && words.list.length > 0
  const shared = {
    id,
    ref: field,
    value,
    placeholder,
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    ...(isOpen ? { 'aria-controls': list, 'aria-activedescendant': `${list}-${chosen}` } : {}),
    onChange: ({ target }: { readonly target: HTMLInputElement | HTMLTextAreaElement }) => {
      onChange(target.value)
      look(target)
    },
    onBlur: close,
    onKeyDown: keys,
  } as const
  return (
    <div className="wb-place-field">
      {rows === undefined ? (
        <input {...shared} inputMode={inputMode} />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
      {isOpen && (
        <div className="wb-place-words" role="listbox" id={list} aria-label={t('workbench.places')}>
          {words.list.map(({ word, label }, index) => (
            <div
              key={word}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              ref={index === chosen ? intoSight : null}
              onPointerDown={(event) => {
                event.preventDefault()
                insert(index)
              }}
            >
              <code>{word}</code>
              <small>{label}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

const intoSight = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** The suggestions at the cursor, and how one is accepted. */
function useWords(
  field: RefObject<(HTMLInputElement & HTMLTextAreaElement) | null>,
  onChange: (text: string) => void,
) {
  const { drawn } = useCanvas()
  const [words, setWords] = useState<PlaceWords | null>(null)
  const [chosen, setChosen] = useState(0)
  const cursor = useRef(-1)
  useLayoutEffect(() => {
    if (cursor.current < 0) return
    field.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = -1
  })
  const close = () => setWords(null)
  const look = ({ value, selectionStart }: HTMLInputElement | HTMLTextAreaElement) => {
    const engine = drawn?.engine ?? null
    const before = value.slice(0, selectionStart ?? value.length)
    setChosen(0)
    setWords(engine === null || !before.includes('{{') ? null : placeWords(before, wordsOf(engine)))
  }
  const insert = (index: number) => {
    const word = words?.list[index]?.word
    const { current } = field
    if (words === null || word === undefined || current === null) return
    const next = placed(current.value, { from: words.from, to: current.selectionStart ?? words.from }, word)
    cursor.current = next.at
    onChange(next.text)
    close()
  }
  const keys = (event: KeyboardEvent) => {
    if (words === null || words.list.length === 0) return
    const { key } = event
    if (key === 'ArrowDown') setChosen((chosen + 1) % words.list.length)
    else if (key === 'ArrowUp') setChosen((chosen + words.list.length - 1) % words.list.length)
    else if (key === 'Enter') insert(chosen)
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { words, chosen, look, close, insert, keys }
}
