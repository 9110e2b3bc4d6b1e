import type { CSSProperties } from 'react'
import { labelsOf, shownItem } from '../../core/widgets/values.ts'
import { readText } from '../fields/field.tsx'
import { colourOf, toneClass } from '../kit/tone.ts'
import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options, items } = state
  const item = shownItem(state.value, items)
  const text =
    textOf(options.text) ||
    (item?.label ?? (items.length > 0 ? labelsOf(state.value, items) : readText(state)))
  if (text === '') return null
  const tone = toneClass(options.tone) || toneClass(item?.color)
  const colour = colourOf(textOf(options.color)) ?? colourOf(item?.color)
  const look = `vf-tag ${tone}${options.plain === true ? ' vf-plain' : ''}${colour === undefined ? '' : ' vf-coloured'}`
  return (
    <span className={look} style={colour === undefined ? undefined : ({ '--tag': colour } as CSSProperties)}>
      {text}
    </span>
  )
}
