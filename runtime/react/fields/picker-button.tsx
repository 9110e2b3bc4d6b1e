import { type ReactNode, useEffect, useRef } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { ClearButton } from './clear-button.tsx'
import type { FieldParts } from './field.tsx'

interface Props {
  readonly parts: FieldParts
  readonly text: string
  readonly placeholder: string
  readonly icon?: ReactNode
  readonly opened: boolean
  readonly onOpen: () => void
  /** Shows a button that clears the choice. */
  readonly onClear?: (() => void) | undefined
  readonly busy?: boolean
  /** A long text wraps instead of being truncated. */
  readonly whole?: boolean
  /** The whole text, if the visible one is truncated. */
  readonly title?: string
  /** Called in addition to the field's own handler; some pickers open on focus. */
  readonly onFocus?: (() => void) | undefined
  readonly children?: ReactNode
}

/** The closed picker: the chosen value and a button that opens it. */
export function PickerButton({
  parts,
  text,
  placeholder,
  icon = <Glyph name="right" />,
  opened,
  onOpen,
  onClear,
  busy,
  title,
  whole = false,
  onFocus,
  children,
}: Props) {
  const stay = useStay(parts, opened)
  const clearable = onClear !== undefined && text !== '' && parts.open
  return (
    <div className={`vf-picker${whole ? ' vf-whole' : ''}`}>
      <button
        type="button"
        id={parts.id}
        className={`vf-picker-face${text === '' ? ' vf-placeholder' : ''}`}
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={opened}
        aria-controls={opened ? parts.sheetId : undefined}
        aria-busy={busy || undefined}
        {...parts.naming}
        {...parts.aria}
        disabled={!parts.open}
        onClick={onOpen}
        {...(title && title !== text ? { title } : {})}
        onFocus={() => {
          if (stay.enter()) onFocus?.()
        }}
        onBlur={stay.leave}
      >
        <span className="vf-picker-text">{text || placeholder}</span>
        {clearable ? null : icon}
      </button>
      {clearable ? <ClearButton onClear={onClear} /> : null}
      {children}
    </div>
  )
}

/**
 * Focus and blur of a picker. Its sheet takes the browser's focus, but the user is still in the field: the field is blurred when the sheet closes,
 * after the choice. The focus that then returns to the button is not reported.
 */
function useStay(parts: FieldParts, opened: boolean) {
  const at = useRef<'away' | 'here' | 'inside' | 'back'>('away')
  const reported = useRef(parts)
  reported.current = parts
  useEffect(() => {
    if (opened) {
      if (at.current !== 'here') reported.current.focus()
      at.current = 'inside'
    } else if (at.current === 'inside') {
      at.current = 'back'
      reported.current.blur()
    }
  }, [opened])
  return {
    /** @returns whether the field was entered just now */
    enter() {
      if (at.current !== 'away') return false
      at.current = 'here'
      reported.current.focus()
      return true
    },
    leave() {
      if (at.current === 'inside' || opened) return
      if (at.current === 'here') reported.current.blur()
      at.current = 'away'
    },
  }
}
