import { type HTMLInputTypeAttribute, useState } from 'react'
import { numberText } from '../../core/widgets/number-text.ts'
import { trimMode, trimText, trimWhileTyping } from '../../core/widgets/trim.ts'
import { ClearButton } from '../fields/clear-button.tsx'
import { alignOf, Field } from '../fields/field.tsx'
import { useTextBox } from '../fields/use-text-box.tsx'
import { useTyping } from '../fields/use-typing.ts'
import { Glyph } from '../kit/glyph.tsx'
import { Icon } from '../kit/icon.tsx'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const KEYBOARD = { number: 'decimal', tel: 'tel', email: 'email', url: 'url' } as const

export function View({ state }: ViewProps) {
  const { options } = state
  const engine = useEngine()
  const t = engine.ports.text
  const { parts, value, box, count } = useTextBox(state)
  const fire = useFire(state)
  const [shown, setShown] = useState(false)
  const kind = textOf(options.type) || 'text'
  const trim = trimMode(options.trim)
  const keep = kind === 'number' ? numberText : (text: string) => text
  const typing = useTyping(
    parts,
    value,
    (text) => keep(trimText(text, trim)),
    (text) => keep(trimWhileTyping(text, trim)),
  )
  const keyboard = KEYBOARD[kind as keyof typeof KEYBOARD]
  const clear = () => {
    parts.change(null)
    void fire('clear')
    document.getElementById(parts.id)?.focus()
  }
  return (
    <Field state={state} parts={parts}>
      <div className="vf-input-line">
        <Lead name={textOf(options.leftIcon) || textOf(options.prefixIcon)} />
        <input
          className={`vf-input vf-align-${alignOf(options.inputAlign, engine.page.config.inputAlign)}`}
          type={inputType(kind, shown)}
          {...(keyboard ? { inputMode: keyboard } : {})}
          {...(options.autocomplete
            ? { autoComplete: textOf(options.autocomplete) }
            : { autoComplete: 'off' })}
          {...box}
          {...typing}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void fire('enter')
          }}
        />
        {options.clearable !== false && value !== '' && parts.open ? <ClearButton onClear={clear} /> : null}
        {kind === 'password' && options.showPassword !== false && value !== '' ? (
          <button
            type="button"
            className="vf-clear vf-eye"
            aria-pressed={shown}
            aria-label={t(shown ? 'widget.password.hide' : 'widget.password.show')}
            onClick={() => setShown(!shown)}
          >
            <Glyph name={shown ? 'eye' : 'eye-off'} size={20} />
          </button>
        ) : null}
        {options.unit ? <span className="vf-unit">{textOf(options.unit)}</span> : null}
        <Lead name={textOf(options.rightIcon) || textOf(options.suffixIcon)} />
        {options.appendButton === true ? (
          <button
            type="button"
            className={`vf-append vf-append-${textOf(options.appendButtonType) || 'primary'}`}
            aria-label={textOf(options.appendButtonLabel) || t('widget.search')}
            disabled={state.disabled || options.appendButtonDisabled === true}
            onClick={() => void fire('appendButtonClick')}
          >
            <AppendIcon name={textOf(options.appendButtonIcon) || textOf(options.buttonIcon)} />
            {textOf(options.appendButtonLabel)}
          </button>
        ) : null}
      </div>
      {count}
    </Field>
  )
}

/** The designer's own search icons are included; other names are looked up in the icon set. */
function AppendIcon({ name }: { readonly name: string }) {
  return name === '' || /search$/i.test(name) || name.startsWith('el-') ? (
    <Glyph name="search" size={18} />
  ) : (
    <Icon name={name} size={18} />
  )
}

function Lead({ name }: { readonly name: string }) {
  return name === '' || name.startsWith('el-') ? null : <Icon name={name} size={18} />
}

/** Numbers use a text input: the browser's number input discards unreadable text and has no selection. */
function inputType(kind: string, shown: boolean): HTMLInputTypeAttribute {
  if (kind === 'password') return shown ? 'text' : 'password'
  return kind === 'tel' || kind === 'email' || kind === 'url' ? kind : 'text'
}
