import { StreamLanguage, type StringStream } from '@codemirror/language'
import type { Language } from './editor.ts'
import { type ScriptNames, wordsAfter } from './script-words.ts'

const WORDS =
  /^(?:async|await|break|case|catch|const|continue|default|delete|do|else|finally|for|function|if|in|instanceof|let|new|of|return|switch|this|throw|try|typeof|var|void|while|yield)$/
const ATOMS = /^(?:true|false|null|undefined|NaN|Infinity)$/

interface Reading {
  /** What an open text or comment ends with; '' outside of both. */
  end: string
}

/** Enough of the language to colour it: words, texts, numbers, comments. */
function token(stream: StringStream, reading: Reading): string | null {
  if (reading.end !== '') return rest(stream, reading)
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match('/*')) {
    reading.end = '*/'
    return rest(stream, reading)
  }
  const quote = stream.match(/^['"`]/)
  if (Array.isArray(quote)) {
    reading.end = quote[0]
    return rest(stream, reading)
  }
  if (stream.match(/^\d[\w.]*/)) return 'number'
  const word = stream.match(/^[A-Za-z_$][\w$]*/)
  if (Array.isArray(word)) return WORDS.test(word[0]) ? 'keyword' : ATOMS.test(word[0]) ? 'bool' : null
  stream.next()
  return 'punctuation'
}

function rest(stream: StringStream, reading: Reading): string {
  const { end } = reading
  while (!stream.eol()) {
    if (end !== '*/' && stream.match('\\')) stream.next()
    else if (stream.match(end)) {
      reading.end = ''
      return end === '*/' ? 'comment' : 'string'
    } else stream.next()
  }
  // Only these two go on in the next line.
  if (end !== '*/' && end !== '`') reading.end = ''
  return end === '*/' ? 'comment' : 'string'
}

const SCRIPT = StreamLanguage.define<Reading>({ startState: () => ({ end: '' }), token })

/** The code of a hook. */
export const pageScript = (names: () => ScriptNames): Language => ({
  extensions: [SCRIPT],
  complete({ state, pos }) {
    const line = state.doc.lineAt(pos)
    const found = wordsAfter(line.text.slice(0, pos - line.from), names())
    return found === null
      ? null
      : { from: line.from + found.from, options: [...found.list], validFor: /^[\w$.-]*$/ }
  },
  faults: () => [],
})
