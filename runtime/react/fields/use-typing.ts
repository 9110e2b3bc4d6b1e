import { type ChangeEvent, type CompositionEvent, useRef, useState } from 'react'
import type { FieldParts } from './field.tsx'

type Box = HTMLInputElement | HTMLTextAreaElement

/**
 * A text box with the field's value that reports each keystroke as input and the change on blur. While an input method is composing, the text stays
 * in the box and is not reported.
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
