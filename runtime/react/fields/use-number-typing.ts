import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { NodeState } from '../../core/engine.ts'
import { type NumberNote, noteOf } from '../../core/widgets/number-box.ts'
import { asNumber } from '../../core/widgets/values.ts'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { type FieldParts, useField } from './field.tsx'
import { useTyping } from './use-typing.ts'

interface Reading {
  /** The value for a text when the box loses the focus. */
  readonly commit: (text: string) => number | null
  readonly bounds: { readonly min: number; readonly max: number }
  /** Formats a stored number for editing. */
  readonly show: (value: number) => string
  /** Formats it while the box has no focus, if that differs. */
  readonly rest?: ((value: number) => string) | undefined
}

/**
 * A text box for a number: the text stays as typed (`12.`), the field gets the number. A note tells what the box changed when it lost the focus, until
 * the next keystroke or until the field has another value.
 */
export function useNumberTyping(state: NodeState, { commit, bounds, show, rest }: Reading) {
  const [isIn, setIsIn] = useState(false)
  const [draft, setDraft] = useState<string | null>(null)
  const [told, setTold] = useState<{ readonly value: number | null; readonly note: NumberNote | null }>()
  const { value } = state
  const t = useText()
  const note = told?.value === value && told.note
  const field = useField(state, note ? t(note.code, note.params) : '')
  const isFresh = draft !== null && textOf(asNumber(draft)) === textOf(value)
  const stored = typeof value === 'number' ? show(value) : textOf(value)
  const parts: FieldParts = {
    ...field,
    input: (text) => {
      setDraft(String(text))
      setTold(undefined)
      field.input(asNumber(String(text)))
    },
    change: (text) => {
      const committed = commit(String(text))
      setDraft(null)
      setTold({ value: committed, note: noteOf(String(text), committed, bounds) })
      field.change(committed)
    },
    blur: () => {
      setDraft(null)
      field.blur()
    },
  }
  const typing = useTyping(parts, isFresh ? draft : stored)
  return { field, box: rest === undefined ? typing : { ...typing, ...resting(typing) } }

  function resting({ value: shown, onFocus, onBlur }: typeof typing): Partial<typeof typing> {
    return {
      value: isIn || typeof value !== 'number' ? shown : (rest?.(value) ?? shown),
      onFocus: (event) => {
        // Synchronous, so that the next key replaces the selected number; a tap puts the caret where the user wants it.
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
