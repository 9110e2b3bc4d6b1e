/** Default width of {@link cutText}. */
const CUT = 8
const LATIN_1 = 0xff

/** The width of a text: a character beyond Latin-1 (a Chinese one) counts 2, any other 1. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += widthOf(sign)
  return width
}

/** The longest prefix of `text` up to the width `limit`; characters are never split. */
export function cutText(text: string, limit: number = CUT): string {
  let width = 0
  let end = 0
  for (const sign of text) {
    width += widthOf(sign)
    if (width > limit) return text.slice(0, end)
    end += sign.length
  }
  return text
}

const widthOf = (sign: string): number => ((sign.codePointAt(0) ?? 0) <= LATIN_1 ? 1 : 2)
