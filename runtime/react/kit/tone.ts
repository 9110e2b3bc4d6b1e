import type { Json } from '../../core/json.ts'
import { textOf } from '../page/options.ts'

const TONES = new Set(['secondary', 'weak', 'primary', 'success', 'warning', 'danger'])

/** Class of a colour by meaning; '' for the default and for words it does not know. */
export function toneClass(tone: Json | undefined): string {
  const word = textOf(tone)
  return TONES.has(word) ? `vf-tone-${word}` : ''
}

/** Dictionary colours by name, as our own server has them, and by value, as pages may write them (`#rgb`). */
export function colourOf(colour: string | undefined): string | undefined {
  if (colour === undefined || colour === '') return undefined
  return /^#[0-9a-f]{3,8}$/i.test(colour) || /^rgba?\([\d\s,.%/]+\)$/i.test(colour) ? colour : undefined
}
