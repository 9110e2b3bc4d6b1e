import type { Json } from '../../core/json.ts'
import { textOf } from '../page/options.ts'

const TONES = new Set(['secondary', 'weak', 'primary', 'success', 'warning', 'danger'])

/** CSS class for a colour by meaning; '' for the default and unknown names. */
export function toneClass(tone: Json | undefined): string {
  const word = textOf(tone)
  return TONES.has(word) ? `vf-tone-${word}` : ''
}

/** Colours of dictionaries by name, as our own server has them, or by value, as pages may write them (`#rgb`). */
export function colourOf(colour: string | undefined): string | undefined {
  if (colour === undefined || colour === '') return undefined
  return /^#[0-9a-f]{3,8}$/i.test(colour) || /^rgba?\([\d\s,.%/]+\)$/i.test(colour) ? colour : undefined
}
