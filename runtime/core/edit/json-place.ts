import { getLocation, parseTree } from 'jsonc-parser'

/** A value of a text with its place; of an object its keys, each with its value, in order. */
export interface TextNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null'
  readonly value?: unknown
  readonly children?: readonly TextNode[] | undefined
}

/** What a text says, as far as it can be read: it may be no JSON yet. */
export const readLoosely = (text: string): TextNode | undefined => parseTree(text)

/** Where a place of a text is: the way to it, and whether the name of a key stands there. */
export function placeOf(
  text: string,
  offset: number,
): { readonly path: readonly (string | number)[]; readonly isKey: boolean } {
  const { path, isAtPropertyKey } = getLocation(text, offset)
  return { path, isKey: isAtPropertyKey }
}
