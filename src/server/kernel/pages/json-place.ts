import { lineAt, type TextPlace } from '../../../../runtime/core/page/json-fault.ts'

interface Word {
  readonly text: string
  readonly at: number
}

const WORD = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * The position in a text of the value that a JSON pointer names: the key of an entry, or an item itself. A missing value has the position of the
 * nearest
 * enclosing value.
 *
 * @param text  valid JSON
 */
export function placeOf(text: string, pointer: string): TextPlace {
  const words = wordsOf(text)
  const steps = pointer.split('/').slice(1)
  let place = words[0]?.at ?? 0
  let value = 0
  for (const step of steps) {
    const found = childOf(words, value, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (found === null) break
    place = words[found.name]?.at ?? place
    value = found.value
  }
  return lineAt(text, place)
}

const wordsOf = (text: string): readonly Word[] =>
  Array.from(text.matchAll(WORD), (found) => ({ text: found[0], at: found.index }))

/** The tokens at which an entry's key, or an item, and its value begin. */
function childOf(
  words: readonly Word[],
  container: number,
  step: string,
): { readonly name: number; readonly value: number } | null {
  const opening = words[container]?.text
  if (opening !== '{' && opening !== '[') return null
  const keyed = opening === '{'
  let name = container + 1
  for (let index = 0; name < words.length && !isClosing(words[name]); index += 1) {
    const value = keyed ? name + 2 : name
    const is = keyed ? JSON.parse(words[name]?.text ?? '""') : String(index)
    if (is === step) return { name, value }
    const end = endOf(words, value)
    name = words[end]?.text === ',' ? end + 1 : end
  }
  return null
}

const isClosing = (word: Word | undefined): boolean => word?.text === '}' || word?.text === ']'
const isOpening = (word: Word | undefined): boolean => word?.text === '{' || word?.text === '['

/** The token after a value. */
function endOf(words: readonly Word[], value: number): number {
  let depth = 0
  for (let i = value; i < words.length; i += 1) {
    if (isOpening(words[i])) depth += 1
    else if (isClosing(words[i])) depth -= 1
    if (depth === 0) return i + 1
  }
  return words.length
}
