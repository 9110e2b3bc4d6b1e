import { useLayoutEffect, useRef } from 'react'
import { ownValue } from '../../core/json.ts'
import { alignOf, Field } from '../fields/field.tsx'
import { useTextBox } from '../fields/use-text-box.tsx'
import { useTyping } from '../fields/use-typing.ts'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

const LINE_PX = 24

export function View({ state }: ViewProps) {
  const { options } = state
  const engine = useEngine()
  const { page } = engine
  const { parts, value, box, count } = useTextBox(state)
  const typing = useTyping(parts, value)
  const element = useRef<HTMLTextAreaElement>(null)
  const shown = typing.value
  useLayoutEffect(() => {
    if (element.current !== null) grow(element.current, shown)
  }, [shown])
  const entries = objectsOf(ownValue(engine.scope().dict, textOf(options.phrasesDict)))
  const written = Array.isArray(options.phrases) ? options.phrases.map(textOf).filter(Boolean) : []
  const named = entries.filter(({ disable }) => disable !== true).map(({ label }) => textOf(label))
  const phrases = named.length > 0 ? named : written
  const keys = uniqueKeys(phrases)
  return (
    <Field state={state} parts={parts} below={phrases.length > 0}>
      <textarea
        ref={element}
        className={`vf-input vf-textarea vf-align-${alignOf(options.inputAlign, page.config.inputAlign)}`}
        style={{ minHeight: textOf(options.contentHeight) || numberOf(options.rows, 3) * LINE_PX }}
        rows={numberOf(options.rows, 3)}
        {...box}
        {...typing}
      />
      {phrases.length > 0 && parts.open ? (
        <div className="vf-chips">
          {phrases.map((phrase, i) => (
            <button
              key={keys[i]}
              type="button"
              className="vf-chip"
              onClick={() => parts.change(value + phrase)}
            >
              {phrase}
            </button>
          ))}
        </div>
      ) : null}
      {count}
    </Field>
  )
}

/** Grows with its text. Measured only if there may be more lines than visible, because reading the height costs a layout. */
function grow(box: HTMLTextAreaElement, text: string): void {
  if (text === '') {
    box.style.height = ''
    return
  }
  if (!text.includes('\n') && text.length < 24) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
