import { javascriptLanguage } from '@codemirror/lang-javascript'
import type { Language } from './editor.ts'
import { meaningInScript } from './meaning.ts'
import { type ScriptNames, wordsAfter } from './script-words.ts'

/** The language support for the code of a hook. */
export const pageScript = (names: () => ScriptNames): Language => ({
  extensions: [javascriptLanguage],
  meaning: (text, at) => meaningInScript(text, at, names()),
  complete({ state, pos }) {
    const line = state.doc.lineAt(pos)
    const found = wordsAfter(line.text.slice(0, pos - line.from), names())
    return found === null
      ? null
      : { from: line.from + found.from, options: [...found.list], validFor: /^[\w$.-]*$/ }
  },
  faults: () => [],
})
