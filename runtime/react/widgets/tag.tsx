import { labelsOf, shownItem } from '../../core/widgets/values.ts'
import { readText } from '../fields/field.tsx'
import { WordTag } from '../kit/word-tag.tsx'
import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options, items } = state
  const item = shownItem(state.value, items)
  const text =
    textOf(options.text) ||
    (item?.label ?? (items.length > 0 ? labelsOf(state.value, items) : readText(state)))
  if (text === '') return null
  return (
    <WordTag
      text={text}
      tones={[options.tone, item?.color]}
      colours={[options.color, item?.color]}
      plain={options.plain === true}
    />
  )
}
