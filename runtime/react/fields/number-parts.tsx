import type { InputHTMLAttributes, ReactNode } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { NumberNote } from '../../core/widgets/number-box.ts'
import { useText } from '../page/page-context.ts'
import type { FieldParts } from './field.tsx'
import type { useNumberTyping } from './use-number-typing.ts'

type Direction = 1 | -1

interface BoxProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly state: NodeState
  readonly field: FieldParts
  readonly typing: ReturnType<typeof useNumberTyping>
  readonly onStep: (direction: Direction) => void
}

/** The text box of a number; the up and down arrow keys step it. */
export function NumberBox({ state, field, typing, onStep, ...more }: BoxProps) {
  return (
    <input
      id={field.id}
      autoComplete="off"
      disabled={state.disabled}
      readOnly={state.readonly}
      {...more}
      {...('aria-label' in field.naming ? field.naming : {})}
      {...field.aria}
      {...(typing.note === null ? {} : noted(field))}
      {...typing.box}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
        if (by === null || !field.open) return
        event.preventDefault()
        onStep(by)
      }}
    />
  )
}

const noted = ({ id, aria }: FieldParts) => ({
  'aria-describedby': [aria['aria-describedby'], `${id}n`].filter(Boolean).join(' '),
})

interface NoteProps {
  readonly field: FieldParts
  readonly note: NumberNote | null
}

/** Says under the box what it changed when it lost the focus. */
export function NumberNoteLine({ field, note }: NoteProps) {
  const t = useText()
  return note === null ? null : (
    <div className="vf-hint" id={`${field.id}n`} role="alert">
      {t(note.code, note.params)}
    </div>
  )
}

interface StepProps {
  readonly label: string
  readonly direction: Direction
  readonly disabled: boolean
  readonly className?: string
  readonly onStep: (direction: Direction) => void
  readonly children: ReactNode
}

/** The button for one step up or down. */
export function StepButton({ label, direction, onStep, ...more }: StepProps) {
  const t = useText()
  return (
    <button
      type="button"
      aria-label={`${label} ${t(direction < 0 ? 'widget.less' : 'widget.more')}`.trim()}
      onClick={() => onStep(direction)}
      {...more}
    />
  )
}
