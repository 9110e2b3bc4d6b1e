import type { ReactNode } from 'react'
import { ClearButton } from './clear-button.tsx'
import type { FieldParts } from './field.tsx'
import { Glyph, type GlyphName } from './glyph.tsx'

interface Props {
  readonly parts: FieldParts
  readonly text: string
  readonly placeholder: string
  readonly glyph?: GlyphName
  readonly opened: boolean
  readonly onOpen: () => void
  /** Shows a cross that takes the choice back. */
  readonly onClear?: (() => void) | undefined
  readonly busy?: boolean
  /** A long text takes more lines instead of ending in dots. */
  readonly whole?: boolean
  /** The whole text, where the shown one is cut. */
  readonly title?: string
  /** Besides telling the field: some open at once. */
  readonly onFocus?: (() => void) | undefined
  readonly children?: ReactNode
}

/** The closed face of a picker: what is chosen, and a way to open it. */
export function PickerButton({
  parts,
  text,
  placeholder,
  glyph = 'right',
  opened,
  onOpen,
  onClear,
  busy,
  title,
  whole = false,
  onFocus,
  children,
}: Props) {
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
          parts.focus()
          onFocus?.()
        }}
        onBlur={parts.blur}
      >
        <span className="vf-picker-text">{text || placeholder}</span>
        {clearable ? null : <Glyph name={glyph} />}
      </button>
      {clearable ? <ClearButton onClear={onClear} /> : null}
      {children}
    </div>
  )
}
