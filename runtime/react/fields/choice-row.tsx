import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { isRetired } from '../../core/widgets/retired.ts'
import { Icon } from '../kit/icon.tsx'
import { colourOf, toneClass } from '../kit/tone.ts'
import { numberOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { FieldParts } from './field.tsx'
import { ItemsNote } from './items-note.tsx'

interface Props {
  readonly state: NodeState
  readonly parts: FieldParts
  readonly kind: 'radio' | 'checkbox'
  readonly isChosen: (value: Json) => boolean
  readonly onPick: (value: Json, on: boolean) => void
  /** Tapping the chosen item clears it. */
  readonly clears?: boolean
  /** Items that cannot be tapped now; default: only those that are disabled. */
  readonly isLocked?: (item: OptionItem) => boolean
}

/** Visible choices as radio buttons, checkboxes or chips. */
export function ChoiceRow({ state, parts, kind, isChosen, onPick, clears, isLocked = isDisabled }: Props) {
  const { options } = state
  const t = useText()
  const vertical = options.direction === 'vertical' || options.displayStyle === 'block'
  const look = `${options.buttonStyle === true ? 'vf-choice-chip' : 'vf-choice'}${options.border === true ? ' vf-framed' : ''}`
  const size = numberOf(options.iconSize, SIZE)
  const role = kind === 'radio' ? 'radiogroup' : 'group'
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid, 'aria-required': required } = parts.aria
  return (
    <div
      role={role}
      className={`vf-choices${vertical ? ' vf-vertical' : ''}`}
      {...parts.naming}
      aria-describedby={describedBy}
      {...(kind === 'radio' ? { 'aria-invalid': invalid, 'aria-required': required } : {})}
    >
      <ItemsNote state={state} />
      {state.items.map((item) => (
        <label key={JSON.stringify(item.value)} className={look}>
          <input
            type={kind}
            name={parts.id}
            checked={isChosen(item.value)}
            disabled={!parts.open || isLocked(item)}
            onClick={clears && isChosen(item.value) ? () => onPick(item.value, false) : undefined}
            onChange={(event) => onPick(item.value, event.target.checked)}
            onFocus={parts.focus}
            onBlur={parts.blur}
          />
          <i aria-hidden="true" style={size === SIZE ? undefined : { zoom: size / SIZE }} />
          <span>
            {item.icon && <Icon name={item.icon} />}
            {item.color && (
              <b className={`vf-swatch ${toneClass(item.color)}`} style={{ color: colourOf(item.color) }} />
            )}
            {item.label || t('widget.unnamed')}
            {isChosen(item.value) && isRetired(item, options) && t('widget.retired')}
          </span>
        </label>
      ))}
    </div>
  )
}

/** Size of a box in px, unless the page sets one. */
const SIZE = 20
const isDisabled = (item: OptionItem): boolean => item.disabled === true

/** If there are too many chips to fit beside the label, they are below it. */
export const isRoomy = (state: NodeState): boolean =>
  state.options.buttonStyle === true && state.items.length > BESIDE

const BESIDE = 3
