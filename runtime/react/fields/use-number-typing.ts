import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import { asNumber } from '../../core/widgets/values.ts'
import { textOf } from '../page/options.ts'
import type { FieldParts } from './field.tsx'
import { useTyping } from './use-typing.ts'

interface Reading {
  /** What a text becomes when the box is left. */
  readonly commit: (text: string) => Json
  /** How a stored number is written while it can be typed into. */
  readonly show: (value: number) => string
  /** How it is written while nobody is in the box, where that is another way. */
  readonly rest?: ((value: number) => string) | undefined
}

/** A text box for a number: the text stays as it is typed (`12.`), the field has the number it stands for. */
export function useNumberTyping(state: NodeState, field: FieldParts, { commit, show, rest }: Reading) {
  const [isIn, setIsIn] = useState(false)
  const [draft, setDraft] = useState<string | null>(null)
  const { value } = state
  const isFresh = draft !== null && textOf(asNumber(draft)) === textOf(value)
  const stored = typeof value === 'number' ? show(value) : textOf(value)
  const parts: FieldParts = {
    ...field,
    input: (text) => {
      setDraft(String(text))
      field.input(asNumber(String(text)))
    },
    change: (text) => {
      setDraft(null)
      field.change(commit(String(text)))
    },
    blur: () => {
      setDraft(null)
      field.blur()
    },
  }
  const typing = useTyping(parts, isFresh ? draft : stored)
  return rest === undefined ? typing : { ...typing, ...resting(typing) }

  function resting({ value: shown, onFocus, onBlur }: typeof typing): Partial<typeof typing> {
    return {
      value: isIn || typeof value !== 'number' ? shown : (rest?.(value) ?? shown),
      onFocus: (event) => {
        // At once: what is typed next goes where the number then stands, in place of it; a tap puts the caret where it wants it.
        flushSync(() => setIsIn(!state.readonly))
        event.currentTarget.select()
        onFocus(event)
      },
      onBlur: (event) => {
        onBlur(event)
        setIsIn(false)
      },
    }
  }
}
