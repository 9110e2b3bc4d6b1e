import type { CSSProperties } from 'react'
import type { Json } from '../../core/json.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { textOf } from '../page/options.ts'
import { colourOf, toneClass } from './tone.ts'

interface Props {
  readonly text: string
  /** Colours by meaning, and by value; the first valid one is used. */
  readonly tones?: readonly (Json | undefined)[]
  readonly colours?: readonly (Json | undefined)[]
  readonly plain?: boolean
}

/** A small word in its colour. */
export function WordTag({ text, tones = [], colours = [], plain = false }: Props) {
  const tone = tones.map(toneClass).find((one) => one !== '') ?? ''
  const colour = colours.map((one) => colourOf(textOf(one))).find((one) => one !== undefined)
  const look = `vf-tag ${tone}${plain ? ' vf-plain' : ''}${colour === undefined ? '' : ' vf-coloured'}`
  return (
    <span className={look} style={colour === undefined ? undefined : ({ '--tag': colour } as CSSProperties)}>
      {text}
    </span>
  )
}

/** Chosen items, each in its colour. */
export function ChosenTags({ items }: { readonly items: readonly OptionItem[] }) {
  return (
    <span className="vf-tags">
      {items.map(({ label, color }) => (
        <WordTag key={label} text={label} tones={[color]} colours={[color]} />
      ))}
    </span>
  )
}
