import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { pathAt } from '../../../runtime/core/edit/edit-text.ts'
import { COMMON_OPTIONS, createRegistry } from '../../../runtime/core/widgets/index.ts'
import { wordOr } from '../context.ts'
import { type PlaceWord, placeWords } from '../places/places.ts'

const registry = createRegistry()

/** What fits into a place of a text; names in quotes: types of widgets, and the options of the widget one stands in. */
export function completeJson(
  context: CompletionContext,
  places: readonly PlaceWord[],
): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const inPlace = placeWords(line.text.slice(0, context.pos - line.from), places)
  if (inPlace !== null)
    return {
      from: line.from + inPlace.from,
      options: inPlace.list.map(({ word, label }) => ({ label: word, detail: label })),
      filter: false,
    }
  const word = context.matchBefore(/"[\w-]*/)
  if (word === null) return null
  const text = context.state.doc.toString()
  const before = text.slice(0, word.from)
  const from = word.from + 1
  if (/"type"\s*:\s*$/.test(before))
    return {
      from,
      options: registry
        .list()
        .map(({ type }) => ({ label: type, detail: wordOr(`workbench.widget.${type}`, '') })),
    }
  const path = pathAt(text, word.from)
  if (!path.includes('options')) return null
  const known = registry.get(lastType(before) ?? '')
  if (known === undefined) return null
  return {
    from,
    options: Object.entries({ ...known.options, ...COMMON_OPTIONS }).map(([name, { doc = '' }]) => ({
      label: name,
      detail: wordOr(`workbench.option.${name}`, ''),
      info: doc,
    })),
  }
}

/** The type written last before a place. */
const lastType = (before: string): string | undefined =>
  [...before.matchAll(/"type"\s*:\s*"(?:m-)?([\w-]+)"/g)].at(-1)?.[1]
