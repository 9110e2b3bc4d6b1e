import type { Json } from '../json.ts'

/** Which blanks a text field removes; false and unknown values: none. */
export type TrimMode = 'none' | 'both' | 'left' | 'right' | 'all'

/** The option `trim` under its several spellings. */
export function trimMode(option: Json | undefined): TrimMode {
  if (option === true || option === 'both') return 'both'
  if (option === 'left' || option === 'start') return 'left'
  if (option === 'right' || option === 'end') return 'right'
  return option === 'all' ? 'all' : 'none'
}

/** A text without the blanks that the mode removes. */
export function trimText(text: string, mode: TrimMode): string {
  if (mode === 'both') return text.trim()
  if (mode === 'left') return text.trimStart()
  if (mode === 'right') return text.trimEnd()
  return mode === 'all' ? text.replace(/\s+/g, '') : text
}

/** While typing, blanks at the end must stay because another word may follow. Leading and inner ones can be removed at once. */
export function trimWhileTyping(text: string, mode: TrimMode): string {
  if (mode === 'all') return trimText(text, mode)
  return mode === 'left' || mode === 'both' ? text.trimStart() : text
}
