/** The distinct sequences of `size` characters (code points) of a text; a shorter text is its only gram. */
export function grams(text: string, size: number): string[] {
  const chars = Array.from(text)
  if (chars.length === 0) return []
  if (chars.length <= size) return [text]
  return [...new Set(chars.slice(size - 1).map((_, i) => chars.slice(i, i + size).join('')))]
}
