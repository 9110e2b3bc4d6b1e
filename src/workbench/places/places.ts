import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { FILTERS } from '../../../runtime/core/text/filters.ts'
import { fieldsOf, type Readable } from '../rules/fields-of.ts'

/** A suggestion for a placeholder. */
export interface PlaceWord {
  readonly word: string
  /** Its label; '' if it has none. */
  readonly label: string
}

/** Start of the typed part of it. */
export interface PlaceWords {
  readonly from: number
  readonly list: readonly PlaceWord[]
}

const OPEN = /\{\{\s*([^{}]*)$/
const MAX_SUGGESTIONS = 40

/** The suggestions for the text before the cursor; null outside a placeholder. */
export function placeWords(before: string, known: readonly PlaceWord[]): PlaceWords | null {
  const inside = OPEN.exec(before)?.[1]
  if (inside === undefined) return null
  const typed = inside.split('|').at(-1)?.trimStart() ?? ''
  const words = inside.includes('|') ? filters() : known
  const query = typed.toLowerCase()
  const fits = ({ word, label }: PlaceWord): boolean =>
    word.toLowerCase().includes(query) || label.toLowerCase().includes(query)
  const isBegun = ({ word }: PlaceWord): boolean => word.toLowerCase().startsWith(query)
  const list = words.filter(fits)
  const first = list.filter(isBegun)
  return {
    from: before.length - typed.length,
    list: [...first, ...list.filter((one) => !first.includes(one))].slice(0, MAX_SUGGESTIONS),
  }
}

const filters = (): readonly PlaceWord[] => Object.keys(FILTERS).map((word) => ({ word, label: '' }))

/** The text with the suggestion inserted and the placeholder closed, and the new cursor position. */
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

const MAX_DEPTH = 3

/** All paths that texts of the page can use: its fields and parameters, the answers of its sources, and the user. */
export function wordsOf(engine: Engine): readonly PlaceWord[] {
  const { data, user } = engine.scope()
  return [
    ...fieldsOf(engine).map(({ path, label }: Readable) => ({ word: path, label })),
    ...pathsBelow('data', data, 0),
    ...pathsBelow('user', user, MAX_DEPTH - 1),
    ...rowWords(data),
  ]
}

function pathsBelow(root: string, value: Json | undefined, depth: number): readonly PlaceWord[] {
  if (!isObject(value) || depth >= MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, below]) => {
    const word = `${root}.${key}`
    return /^[\w-]+$/.test(key) ? [{ word, label: shown(below) }, ...pathsBelow(word, below, depth + 1)] : []
  })
}

/** The row of a list has the keys of the answer's first row. */
function rowWords(data: Json): readonly PlaceWord[] {
  const names = new Map<string, string>()
  const look = (value: Json | undefined, depth: number): void => {
    if (Array.isArray(value)) {
      const [first] = value
      if (isObject(first))
        for (const [key, one] of Object.entries(first)) if (!names.has(key)) names.set(key, shown(one))
    } else if (isObject(value) && depth < MAX_DEPTH)
      for (const one of Object.values(value)) look(one, depth + 1)
  }
  look(data, 0)
  return [...names].map(([key, label]) => ({ word: `row.${key}`, label }))
}

const LONGEST = 16

const shown = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LONGEST) : ''
