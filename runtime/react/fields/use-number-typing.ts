import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import { asNumber } from '../../core/widgets/values.ts'
import { textOf } from '../page/options.ts'
import type { FieldParts } from './field.tsx'
import { useTyping } from './use-typing.ts'

interface Reading {
  /** What a text becomes when the box is left. */
  readonly commit: (text: string) => Json
  /** How a stored number is written while nobody types. */
  readonly show: (value: number) => string
}

/** A text box for a number: the text stays as it is typed (`12.`), the field has the number it stands for. */
export function useNumberTyping(state: NodeState, field: FieldParts, { commit, show }: Reading) {
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
  return useTyping(parts, isFresh ? draft : stored)
}
