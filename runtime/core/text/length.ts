/** Where {@link cutText} ends when nothing else is said. */
const CUT = 8
const LATIN_1 = 0xff

/** How wide a text is: a sign beyond Latin-1 (a Chinese one) counts 2, any other 1. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += widthOf(sign)
  return width
}

/** The longest beginning of `text` that is no wider than `limit`; no sign is ever split. */
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
