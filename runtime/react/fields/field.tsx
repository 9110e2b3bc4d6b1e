import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import { errorModeOf } from '../../core/engine/error-display.ts'
import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'

/** Ids that link a control with its label, hint and message. Spread `aria` on the control itself. */
export interface FieldParts {
  readonly id: string
  readonly note: string
  readonly labelId: string
  /** The id of the layer it opens. */
  readonly sheetId: string
  /** Names a control that `<label for>` cannot name, or one without a visible label. */
  readonly naming: { readonly 'aria-labelledby'?: string; readonly 'aria-label'?: string }
  /** Neither disabled nor read-only. */
  readonly open: boolean
  readonly aria: {
    readonly 'aria-invalid': true | undefined
    readonly 'aria-required': true | undefined
    readonly 'aria-describedby': string | undefined
  }
  readonly input: (value: Json) => void
  readonly change: (value: Json) => void
  readonly focus: () => void
  readonly blur: () => void
}

/**
 * Ids, aria attributes and write functions of a field.
 *
 * @param note  what became of the text that was entered; under the field until the widget takes it away
 */
export function useField(state: NodeState, note = ''): FieldParts {
  const engine = useEngine()
  const id = useId()
  const { key, error } = state
  const under = error !== null && errorModeOf(engine.page.config) === 'undertext'
  const described = [under && `${id}e`, hintOf(state) && `${id}h`, note && `${id}n`].filter(Boolean).join(' ')
  return {
    id,
    note,
    labelId: `${id}l`,
    sheetId: `${id}s`,
    naming: hasLabel(state)
      ? { 'aria-labelledby': `${id}l` }
      : { 'aria-label': state.label || textOf(state.options.placeholder) || state.node.name },
    open: !state.disabled && !state.readonly,
    aria: {
      'aria-invalid': error !== null || undefined,
      'aria-required': state.required || undefined,
      'aria-describedby': described || undefined,
    },
    input: (value) => engine.input(key, value),
    change: (value) => engine.change(key, value),
    focus: () => engine.focus(key),
    blur: () => engine.blur(key),
  }
}

/** Attributes of a text box. */
export const boxProps = ({ disabled, readonly }: NodeState, { id, naming, aria }: FieldParts) => ({
  id,
  disabled,
  readOnly: readonly,
  ...('aria-label' in naming ? naming : {}),
  ...aria,
})

interface FieldProps {
  readonly state: NodeState
  readonly parts: FieldParts
  /** The control has no single element for the label to refer to. */
  readonly group?: boolean
  /** The control is below the label. */
  readonly below?: boolean
  /** The text in read mode; default: the value as the spec formats it. */
  readonly read?: string
  readonly children: ReactNode
}

/** Label, control, hint and message of a field; in read mode the value as text. */
export function Field({ state, parts, group = false, below = false, read, children }: FieldProps) {
  const engine = useEngine()
  const { config } = engine.page
  const hint = hintOf(state)
  const above = below || config.labelPosition === 'top' || state.options.labelAlign === 'top'
  const width = numberOf(state.options.labelWidth ?? config.labelWidth ?? null, LABEL_WIDTH)
  const size = textOf(state.options.size)
  const Label = group || state.readMode ? 'span' : 'label'
  return (
    <div
      className={`vf-field${above ? ' vf-field-above' : ''}${state.disabled ? ' vf-disabled' : ''}${SIZES.has(size) ? ` vf-size-${size}` : ''}`}
    >
      {hasLabel(state) ? (
        <Label
          className={`vf-label vf-align-${alignOf(state.options.labelAlign, config.labelAlign)}${state.required && !state.readMode ? ' vf-starred' : ''}`}
          id={parts.labelId}
          {...(Label === 'label' ? { htmlFor: parts.id } : {})}
          style={above ? undefined : widthStyle(width)}
        >
          {config.colon === true ? `${state.label}：` : state.label}
        </Label>
      ) : null}
      {hasLabel(state) && textOf(state.options.labelTooltip) !== '' ? (
        <Tooltip state={state} id={parts.id} />
      ) : null}
      <div className={`vf-control vf-align-${alignOf(state.options.inputAlign, config.inputAlign)}`}>
        {state.readMode ? <div className="vf-read">{(read ?? readText(state)) || '—'}</div> : children}
        {parts.note && !state.readMode && (
          <div className="vf-hint" id={`${parts.id}n`} role="alert">
            {parts.note}
          </div>
        )}
        {hint && !state.readMode ? (
          <div className="vf-hint" id={`${parts.id}h`}>
            {hint}
          </div>
        ) : null}
        {state.error === null || errorModeOf(config) !== 'undertext' ? null : (
          <div className="vf-error" id={`${parts.id}e`} role="alert">
            {state.error}
          </div>
        )}
      </div>
    </div>
  )
}

/** Help behind an icon at the label; a tap shows or hides it. */
function Tooltip({ state, id }: { readonly state: NodeState; readonly id: string }) {
  const { text } = useEngine().ports
  const [open, setOpen] = useState(false)
  return (
    <span className={`vf-tooltip${state.options.labelIconPosition === 'front' ? ' vf-front' : ''}`}>
      <button
        type="button"
        aria-label={text('widget.tooltip', { label: state.label })}
        aria-expanded={open}
        aria-controls={`${id}t`}
        onClick={() => setOpen(!open)}
      >
        <Glyph name="info" size={16} />
      </button>
      <span id={`${id}t`} className="vf-tooltip-text" role="note" hidden={!open}>
        {textOf(state.options.labelTooltip)}
      </span>
    </span>
  )
}

const widths = new Map<number, CSSProperties>()

/** Memoised by width, so that the style object stays the same between renders. */
function widthStyle(px: number): CSSProperties {
  const style = widths.get(px) ?? ({ '--vf-label-width': `${px}px` } as CSSProperties)
  widths.set(px, style)
  return style
}

/** Default width of a label in px. */
const LABEL_WIDTH = 80
const SIZES = new Set(['mini', 'small', 'medium', 'large'])

/** Left, center or right; the field's own setting overrides the form's. Older documents have `label-right-align`. */
export function alignOf(alignment: Json | undefined, form: Json | undefined): 'left' | 'center' | 'right' {
  const word = `${textOf(alignment) || textOf(form)}`
  if (word.includes('right')) return 'right'
  return word.includes('center') ? 'center' : 'left'
}

/** The value as text for people. */
export function readText(state: NodeState): string {
  const { spec } = state.node
  return spec.text?.(state.value, state.options, state.items) ?? textOf(state.value)
}

const hasLabel = (state: NodeState): boolean => state.options.labelHidden !== true && state.label !== ''

function hintOf(state: NodeState): string {
  return textOf(state.options.hint) || textOf(state.options.uploadTip)
}
