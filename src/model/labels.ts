import type { Label } from './description.ts'

/** The language of the product: what is said where a label has no text in the reader's. */
const BASE_LANGUAGE = 'zh-Hans'

/** A label as a text: in the language, else in the product's, else in whichever there is. */
export function labelText(label: Label, language: string = BASE_LANGUAGE): string {
  if (typeof label === 'string') return label
  return label[language] ?? label[BASE_LANGUAGE] ?? Object.values(label)[0] ?? ''
}
