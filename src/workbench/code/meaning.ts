import { CATALOGUE } from '../../../runtime/core/hooks/script-catalogue.ts'
import { keyWord, valueWord } from './complete.ts'
import { placeIn, type Root, textIn } from './schema-place.ts'
import type { ScriptNames } from './script-words.ts'

/** What a word of a text means, and where the word stands. */
export interface Meaning {
  readonly from: number
  readonly to: number
  readonly said: string
}

/** What a key or a word of a page's text means: in the words of the workbench, and as the schema says it. */
export function meaningInJson(text: string, at: number, root: Root): Meaning | null {
  const word = wordAt(text, at, /[\w-]/)
  if (word === null || text[word.from - 1] !== '"' || text[word.to] !== '"') return null
  const name = text.slice(word.from, word.to)
  const { isKey, path, schemas, holder } = placeIn(text, word.from, root)
  const said = isKey
    ? keyWord(name, path, textIn(holder, 'do'))
    : schemas.some(({ enum: words }) => Array.isArray(words) && words.includes(name))
      ? valueWord(String(path.at(-1) ?? ''), name)
      : ''
  return said === '' ? null : { ...word, said }
}

/** What a name in a script stands for: a field, a source or a function of the page, or what every script has. */
export function meaningInScript(text: string, at: number, names: ScriptNames): Meaning | null {
  const word = wordAt(text, at, /[\w$]/)
  if (word === null) return null
  const name = text.slice(word.from, word.to)
  const isQuoted = /['"]/.test(text[word.from - 1] ?? '')
  const called = isQuoted ? [...names.fields, ...names.sources].find((one) => one.name === name) : undefined
  if (called !== undefined) return { ...word, said: called.label }
  const entry = isQuoted ? undefined : CATALOGUE.find((one) => one.name === name)
  if (entry === undefined) return null
  return { ...word, said: entry.kind === 'method' ? `${name}(${entry.params})` : name }
}

function wordAt(text: string, at: number, letter: RegExp): Pick<Meaning, 'from' | 'to'> | null {
  let from = at
  while (from > 0 && letter.test(text[from - 1] ?? '')) from -= 1
  let to = at
  while (to < text.length && letter.test(text[to] ?? '')) to += 1
  return from === to ? null : { from, to }
}
