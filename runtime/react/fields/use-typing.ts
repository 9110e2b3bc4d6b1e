import { type ChangeEvent, type CompositionEvent, useRef, useState } from 'react'
import type { FieldParts } from './field.tsx'

type Box = HTMLInputElement | HTMLTextAreaElement

/**
 * A text box that shows the field's value, tells each keystroke as input and, on leaving, the change. While an input method is
 * composing, what it shows is nobody's value yet: it stays in the box.
 */
export function useTyping(
  parts: FieldParts,
  value: string,
  tidy: (text: string) => string = same,
  tidyWhileTyping: (text: string) => string = same,
) {
  const [composing, setComposing] = useState<string | null>(null)
  const before = useRef(value)
  return {
    value: composing ?? value,
    onChange: (event: ChangeEvent<Box>) => {
      const text = event.target.value
      if (composing === null) parts.input(tidyWhileTyping(text))
      else setComposing(text)
    },
    onCompositionStart: (event: CompositionEvent<Box>) => setComposing(event.currentTarget.value),
    onCompositionEnd: (event: CompositionEvent<Box>) => {
      setComposing(null)
      parts.input(tidyWhileTyping(event.currentTarget.value))
    },
    onFocus: (_event: { readonly currentTarget: Box }) => {
      before.current = value
      parts.focus()
    },
    onBlur: (event: { readonly currentTarget: Box }) => {
      const text = tidy(event.currentTarget.value)
      if (text !== before.current || text !== event.currentTarget.value) parts.change(text)
      parts.blur()
    },
  }
}

const same = (text: string): string => text
