import { type ClipboardEvent, type FormEvent, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { notPasted } from '../../core/text/not-pasted.ts'
import { numberOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { boxProps, useField } from './field.tsx'

type Box = HTMLInputElement | HTMLTextAreaElement

/** Default maximum length of a text field. */
const MAX_LENGTH = 10_000

/**
 * What boxes for one line and for several have in common: their attributes, the counted characters, and a note about what they left out of a pasted
 * text, until the next keystroke.
 */
export function useTextBox(state: NodeState) {
  const { options, node } = state
  const t = useText()
  const value = textOf(state.value)
  const maxLength = numberOf(options.maxLength, MAX_LENGTH)
  const [lost, setLost] = useState(0)
  const isNoted = lost > 0 && value !== ''
  const parts = useField(state, isNoted ? t('widget.notPasted', { max: maxLength, count: lost }) : '')
  return {
    parts,
    value,
    box: {
      ...boxProps(state, parts),
      name: node.name,
      placeholder: textOf(options.placeholder),
      maxLength,
      onPaste: (event: ClipboardEvent<Box>) =>
        setLost(notPasted(event.clipboardData.getData('text'), event.currentTarget, maxLength)),
      onInput: ({ nativeEvent }: FormEvent<Box>) => {
        if ((nativeEvent as InputEvent).inputType !== 'insertFromPaste') setLost(0)
      },
    },
    count:
      options.showWordLimit === true && options.maxLength ? (
        <div className="vf-count">{`${[...value].length}/${maxLength}`}</div>
      ) : null,
  }
}
