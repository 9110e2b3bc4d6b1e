/** The different runs of `size` characters (code points) of a text; a shorter text is its own only gram. */
export function grams(text: string, size: number): string[] {
  const chars = Array.from(text)
  if (chars.length === 0) return []
  if (chars.length <= size) return [text]
  return [...new Set(chars.slice(size - 1).map((_, i) => chars.slice(i, i + size).join('')))]
}

/** Shared 2-grams divided by all 2-grams: 1 for equal texts, 0 for texts with nothing in common. @see DOMAIN 1.1.3 */
export function similarity(a: string, b: string): number {
  const left = new Set(grams(a, 2))
  const right = new Set(grams(b, 2))
  const shared = [...left].filter((gram) => right.has(gram)).length
  const all = left.size + right.size - shared
  return all === 0 ? 0 : shared / all
}
