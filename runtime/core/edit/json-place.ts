import { getLocation, parseTree } from 'jsonc-parser'

/** A value of a text with its position; for an object its keys with their values, in order. */
export interface TextNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null'
  readonly value?: unknown
  readonly children?: readonly TextNode[] | undefined
}

/** The content of a text, as far as it can be parsed: it may not be valid JSON yet. */
export const readLoosely = (text: string): TextNode | undefined => parseTree(text)

/** The path of a position in a text, and whether the position is in the name of a key. */
export function placeOf(
  text: string,
  offset: number,
): { readonly path: readonly (string | number)[]; readonly isKey: boolean } {
  const { path, isAtPropertyKey } = getLocation(text, offset)
  return { path, isKey: isAtPropertyKey }
}
