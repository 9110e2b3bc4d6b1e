import { useEffect, useRef, useState } from 'react'
import type { Json } from '../../core/json.ts'
import { ClearButton } from '../fields/clear-button.tsx'
import { useField } from '../fields/field.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const RECENT = 10

export function View({ state }: ViewProps) {
  const { ports } = useEngine()
  const t = ports.text
  const { options } = state
  const parts = useField(state)
  const fire = useFire(state)
  const stored = textOf(state.value)
  const [typed, setTyped] = useState<string | null>(null)
  const [focused, setFocused] = useState(false)
  const [recent, remember] = useRecent(options.recent === true ? state.node.name : '')
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])
  const input = useRef<HTMLInputElement>(null)
  const startsHere = options.autofocus === true
  useEffect(() => {
    if (startsHere) input.current?.focus({ preventScroll: true })
  }, [startsHere])
  const text = typed ?? stored
  const commit = (value: string) => {
    cancel.current()
    setTyped(null)
    if (value === stored) return
    remember(value.trim())
    parts.change(value)
  }
  const type = (value: string) => {
    setTyped(value)
    cancel.current()
    cancel.current = ports.clock.after(numberOf(options.debounceMs, 300), () => commit(value))
  }
  return (
    <search className={`vf-search${options.sticky === true ? ' vf-sticky' : ''}`}>
      <div className="vf-search-line">
        <Glyph name="search" size={18} />
        <input
          ref={input}
          className="vf-search-input"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          aria-label={state.label || textOf(options.placeholder) || t('widget.search')}
          placeholder={textOf(options.placeholder) || t('widget.search')}
          maxLength={numberOf(options.maxLength, 100)}
          disabled={!parts.open}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            commit(text)
            void fire('confirm', [text])
          }}
          onFocus={() => {
            setFocused(true)
            parts.focus()
          }}
          onBlur={() => {
            setFocused(false)
            commit(text)
            parts.blur()
          }}
        />
        {text === '' ? null : (
          <ClearButton
            onClear={() => {
              commit('')
              void fire('clear')
            }}
          />
        )}
      </div>
      {focused && text === '' && recent.length > 0 ? (
        <div className="vf-chips vf-recent">
          <span className="vf-quiet">{t('search.recent')}</span>
          {recent.map((word) => (
            <button
              key={word}
              type="button"
              className="vf-chip"
              onMouseDown={(event) => event.preventDefault()} // otherwise the box loses the focus and the recent words disappear before the tap ends
              onClick={() => commit(word)}
            >
              {word}
            </button>
          ))}
        </div>
      ) : null}
    </search>
  )
}

/** The last keywords under that name on this device; '' stores none. */
function useRecent(name: string): readonly [readonly string[], (word: string) => void] {
  const { storage } = useEngine().ports
  const [words, setWords] = useState<readonly string[]>([])
  const key = `search.${name}`
  useEffect(() => {
    let open = true
    if (name !== '') {
      void storage.get(key).then((saved) => {
        if (open && Array.isArray(saved)) setWords((saved as readonly Json[]).map(textOf).filter(Boolean))
      })
    }
    return () => {
      open = false
    }
  }, [storage, key, name])
  const remember = (word: string) => {
    if (name === '' || word === '') return
    const next = [word, ...words.filter((one) => one !== word)].slice(0, RECENT)
    setWords(next)
    void storage.set(key, next)
  }
  return [words, remember]
}
