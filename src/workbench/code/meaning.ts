import { CATALOGUE } from '../../../runtime/core/hooks/script-catalogue.ts'
import { COMMON_OPTIONS, createRegistry } from '../../../runtime/core/widgets/index.ts'
import { wordOr } from '../context.ts'
import type { ScriptNames } from './script-words.ts'

const registry = createRegistry()

/** What a word of a text means, and where the word stands. */
export interface Meaning {
  readonly from: number
  readonly to: number
  readonly said: string
}

/** What stands at a place of a page's text: a type of widget, or an option of the widget it stands in. */
export function meaningInJson(text: string, at: number): Meaning | null {
  const word = wordAt(text, at, /[\w-]/)
  if (word === null || text[word.from - 1] !== '"' || text[word.to] !== '"') return null
  const name = text.slice(word.from, word.to)
  const before = text.slice(0, word.from - 1)
  if (/"type"\s*:\s*$/.test(before)) {
    const isKnown = registry.get(name) !== undefined
    return isKnown ? { ...word, said: wordOr(`workbench.widget.${name}`, name) } : null
  }
  if (!/^"\s*:/.test(text.slice(word.to))) return null
  const type = [...before.matchAll(/"type"\s*:\s*"(?:m-)?([\w-]+)"/g)].at(-1)?.[1] ?? ''
  const option = registry.get(type)?.options[name] ?? COMMON_OPTIONS[name]
  if (option === undefined) return null
  const said = [wordOr(`workbench.option.${name}`, ''), option.doc ?? '']
    .filter((one) => one !== '')
    .join('\n')
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
