import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Json } from '../../../core/json.ts'
import { itemsOf } from '../../../core/model/items.ts'
import type { ListColumn } from '../../../core/widgets/columns.ts'
import { useText } from '../../page/page-context.ts'
import { useScope } from '../../page/use-node.ts'
import { type CellEdit, offeredItems, typedOf, valueOfTyped } from './cell-edit.ts'

const TYPES = { text: 'text', number: 'number', day: 'date', moment: 'datetime-local' } as const

interface Props {
  readonly column: ListColumn
  readonly edit: CellEdit
  readonly value: Json | undefined
  /** The server's text of a refusal. */
  readonly fault: string
  readonly busy: boolean
  /** @param by  whether the next or previous cell is edited afterwards */
  readonly onCommit: (value: Json, by: -1 | 0 | 1) => void
  readonly onLeave: () => void
}

/** The input of a cell: Enter and leaving commit, Tab goes to the next cell, Escape restores the value. */
export function CellEditor({ column, edit, value, fault, busy, onCommit, onLeave }: Props) {
  const id = useId()
  const was = typedOf(edit, value)
  const [typed, setTyped] = useState(was)
  const isOver = useRef(false)
  const place = useFocusBack()
  const commit = (by: -1 | 0 | 1) => {
    if (busy) return
    if (typed === was && by === 0) return leave()
    onCommit(typed === was ? (value ?? null) : valueOfTyped(edit, typed), by)
  }
  const leave = () => {
    isOver.current = true
    onLeave()
  }
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => commit(0),
      Escape: leave,
      Tab: () => commit(event.shiftKey ? -1 : 1),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const shared = {
    value: typed,
    'aria-label': column.label,
    'aria-invalid': fault !== '' || undefined,
    'aria-describedby': fault === '' ? undefined : id,
    readOnly: busy,
    autoFocus: true,
    onKeyDown: keys,
    onBlur: () => {
      if (!isOver.current && fault === '') commit(0)
    },
  }
  return (
    <span ref={place} className="vf-cell-box">
      {edit.as === 'choice' || edit.as === 'flag' ? (
        <Choices {...shared} edit={edit} held={was} onChoose={setTyped} />
      ) : (
        <input
          {...shared}
          type={TYPES[edit.as]}
          step={edit.as === 'number' ? 'any' : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {fault === '' ? null : (
        <span id={id} role="alert" className="vf-cell-fault">
          {fault}
        </span>
      )}
    </span>
  )
}

/** When the input is removed and nothing else took the focus, the row gets it back. */
function useFocusBack() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const row = place.current?.closest<HTMLElement>('[role="row"]')
    return () => {
      if (document.activeElement === document.body) row?.focus({ preventScroll: true })
    }
  }, [])
  return place
}

interface ChoicesProps extends React.ComponentProps<'select'> {
  readonly edit: CellEdit
  /** The value of the record. */
  readonly held: string
  readonly readOnly: boolean
  readonly onChoose: (value: string) => void
}

function Choices({ edit, held, readOnly, onChoose, ...shared }: ChoicesProps) {
  const t = useText()
  const { dict } = useScope()
  const items =
    edit.as === 'flag'
      ? [
          { value: 'true', label: t('widget.yes') },
          { value: 'false', label: t('widget.no') },
        ]
      : offeredItems(itemsOf(edit.choices, dict), held)
  return (
    <select {...shared} disabled={readOnly} onChange={(event) => onChoose(event.target.value)}>
      <option value="" />
      {items.map(({ value, label }) => (
        <option key={String(value)} value={String(value)}>
          {label}
        </option>
      ))}
    </select>
  )
}
