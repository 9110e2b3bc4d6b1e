import type { InputHTMLAttributes, ReactNode } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { useText } from '../page/page-context.ts'
import { boxProps, type FieldParts } from './field.tsx'
import type { useNumberTyping } from './use-number-typing.ts'

type Direction = 1 | -1

interface BoxProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly state: NodeState
  readonly field: FieldParts
  readonly typing: ReturnType<typeof useNumberTyping>['box']
  readonly onStep: (direction: Direction) => void
}

/** The text box of a number; the up and down arrow keys step it. */
export function NumberBox({ state, field, typing, onStep, ...more }: BoxProps) {
  return (
    <input
      autoComplete="off"
      {...more}
      {...boxProps(state, field)}
      {...typing}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
        if (by === null || !field.open) return
        event.preventDefault()
        onStep(by)
      }}
    />
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
