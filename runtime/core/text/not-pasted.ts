/** A text box with its selection, which a pasted text replaces; null where the kind of box does not tell: then maybe all of it. */
interface Box {
  readonly value: string
  readonly selectionStart: number | null
  readonly selectionEnd: number | null
}

/** How many characters at the end of a pasted text a box for `max` of them leaves out; blanks there do not count. */
export function notPasted(pasted: string, { value, selectionStart, selectionEnd }: Box, max: number): number {
  const text = pasted.replace(/\r\n/g, '\n')
  const selected = (selectionEnd ?? value.length) - (selectionStart ?? 0)
  const over = value.length - selected + text.length - max
  return over > 0 ? [...text.slice(-over).trimEnd()].length : 0
}
