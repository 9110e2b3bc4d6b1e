const FULL_WIDTH_FIRST = 0xff01
const FULL_WIDTH_LAST = 0xff5e
const FULL_WIDTH_SHIFT = 0xfee0

function toHalfWidth(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code === 0x3000) return ' '
  return code >= FULL_WIDTH_FIRST && code <= FULL_WIDTH_LAST
    ? String.fromCodePoint(code - FULL_WIDTH_SHIFT)
    : char
}

/** The text with full-width letters, digits and signs as half-width ones. */
export const halfWidth = (text: string): string => Array.from(text, toHalfWidth).join('')

/**
 * The text normalised for comparison and search: full-width to half-width, upper case, without spaces and `()（）·-.`.
 * Applying it twice gives the same text.
 *
 * @see DOMAIN 1.1.3
 */
export function foldText(text: string): string {
  return halfWidth(text)
    .toUpperCase()
    .replace(/[\s()·.-]/g, '')
}
