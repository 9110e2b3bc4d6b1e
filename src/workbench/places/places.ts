import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { FILTERS } from '../../../runtime/core/text/filters.ts'
import { fieldsOf, type Readable } from '../rules/fields-of.ts'

/** A word that fits into a place of a text. */
export interface PlaceWord {
  readonly word: string
  /** What it is called; '' where it has no other name. */
  readonly label: string
}

/** What is typed of it stands from there on. */
export interface PlaceWords {
  readonly from: number
  readonly list: readonly PlaceWord[]
}

const OPEN = /\{\{\s*([^{}]*)$/
const MOST = 40

/** The words that fit at the end of what stands before the cursor; null outside of a place. */
export function placeWords(before: string, known: readonly PlaceWord[]): PlaceWords | null {
  const inside = OPEN.exec(before)?.[1]
  if (inside === undefined) return null
  const typed = inside.split('|').at(-1)?.trimStart() ?? ''
  const words = inside.includes('|') ? filters() : known
  const wanted = typed.toLowerCase()
  const fits = ({ word, label }: PlaceWord): boolean =>
    word.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted)
  const isBegun = ({ word }: PlaceWord): boolean => word.toLowerCase().startsWith(wanted)
  const list = words.filter(fits)
  const first = list.filter(isBegun)
  return {
    from: before.length - typed.length,
    list: [...first, ...list.filter((one) => !first.includes(one))].slice(0, MOST),
  }
}

const filters = (): readonly PlaceWord[] => Object.keys(FILTERS).map((word) => ({ word, label: '' }))

/** The text with the word in its place, which is closed where it was not, and where the cursor stands then. */
export function placed(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  word: string,
): { readonly text: string; readonly at: number } {
  const rest = text.slice(to)
  const isClosed = /^[^{]*\}\}/.test(rest)
  const end = isClosed ? '' : ' }}'
  return { text: text.slice(0, from) + word + end + rest, at: from + word.length }
}

const DEEPEST = 3

/** Everything that a text of the page can name: its fields and parameters, what its sources have answered, and who looks at it. */
export function wordsOf(engine: Engine): readonly PlaceWord[] {
  const { data, user } = engine.scope()
  return [
    ...fieldsOf(engine).map(({ path, label }: Readable) => ({ word: path, label })),
    ...pathsBelow('data', data, 0),
    ...pathsBelow('user', user, DEEPEST - 1),
    ...rowWords(data),
  ]
}

function pathsBelow(root: string, value: Json | undefined, depth: number): readonly PlaceWord[] {
  if (!isObject(value) || depth >= DEEPEST) return []
  return Object.entries(value).flatMap(([key, below]) => {
    const word = `${root}.${key}`
    return /^[\w-]+$/.test(key) ? [{ word, label: shown(below) }, ...pathsBelow(word, below, depth + 1)] : []
  })
}

/** A row of a list reads what the first of an answer has. */
function rowWords(data: Json): readonly PlaceWord[] {
  const names = new Map<string, string>()
  const look = (value: Json | undefined, depth: number): void => {
    if (Array.isArray(value)) {
      const [first] = value
      if (isObject(first))
        for (const [key, one] of Object.entries(first)) if (!names.has(key)) names.set(key, shown(one))
    } else if (isObject(value) && depth < DEEPEST)
      for (const one of Object.values(value)) look(one, depth + 1)
  }
  look(data, 0)
  return [...names].map(([key, label]) => ({ word: `row.${key}`, label }))
}

const LONGEST = 16

const shown = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LONGEST) : ''
