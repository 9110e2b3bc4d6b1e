import { isObject, type Json } from '../../runtime/core/json.ts'
import type { Label } from './description.ts'

/** The language of the product: what is said where a label has no text in the reader's. */
const BASE_LANGUAGE = 'zh-Hans'

/** A label as a text: in the language, else in the product's, else in whichever there is. */
export function labelText(label: Label, language: string = BASE_LANGUAGE): string {
  if (typeof label === 'string') return label
  return label[language] ?? label[BASE_LANGUAGE] ?? Object.values(label)[0] ?? ''
}

/** A label in every language it has. */
export const labelTexts = (label: Label): readonly string[] =>
  typeof label === 'string' ? [label] : Object.values(label)

/** What a sheet, which shows the product's language alone, makes of a label: the other languages stay as they are. */
export const relabelled = (words: Json | undefined, before: Label | undefined): Json | undefined =>
  isObject(before) && typeof words === 'string' ? { ...before, [BASE_LANGUAGE]: words } : words
