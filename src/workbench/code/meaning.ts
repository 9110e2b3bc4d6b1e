import { CATALOGUE } from '../../../runtime/core/hooks/script-catalogue.ts'
import { keyWord, valueWord } from './complete.ts'
import { placeIn, type Root, textIn } from './schema-place.ts'
import type { ScriptNames } from './script-words.ts'

/** The meaning of a word in a text, and its position. */
export interface Meaning {
  readonly from: number
  readonly to: number
  readonly description: string
}

/** The meaning of a key or a word in a page's text: from the workbench's texts, and from the schema. */
export function meaningInJson(text: string, at: number, root: Root): Meaning | null {
  const word = wordAt(text, at, /[\w-]/)
  if (word === null || text[word.from - 1] !== '"' || text[word.to] !== '"') return null
  const name = text.slice(word.from, word.to)
  const { isKey, path, schemas, holder } = placeIn(text, word.from, root)
  const description = isKey
    ? keyWord(name, path, textIn(holder, 'do'))
    : schemas.some(({ enum: words }) => Array.isArray(words) && words.includes(name))
      ? valueWord(String(path.at(-1) ?? ''), name)
      : ''
  return description === '' ? null : { ...word, description }
}

/** The meaning of a name in a script: a field, a source or a function of the page, or a member available to every script. */
export function meaningInScript(text: string, at: number, names: ScriptNames): Meaning | null {
  const word = wordAt(text, at, /[\w$]/)
  if (word === null) return null
  const name = text.slice(word.from, word.to)
  const isQuoted = /['"]/.test(text[word.from - 1] ?? '')
  const called = isQuoted ? [...names.fields, ...names.sources].find((one) => one.name === name) : undefined
  if (called !== undefined) return { ...word, description: called.label }
  const entry = isQuoted ? undefined : CATALOGUE.find((one) => one.name === name)
  if (entry === undefined) return null
  return { ...word, description: entry.kind === 'method' ? `${name}(${entry.params})` : name }
}

function wordAt(text: string, at: number, letter: RegExp): Pick<Meaning, 'from' | 'to'> | null {
  let from = at
  while (from > 0 && letter.test(text[from - 1] ?? '')) from -= 1
  let to = at
  while (to < text.length && letter.test(text[to] ?? '')) to += 1
  return from === to ? null : { from, to }
}
