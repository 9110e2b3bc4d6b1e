import { type Phrase, phrase } from '../../../../runtime/core/errors.ts'

/** What is wrong with the brackets or quotes of code, and at which character. */
export interface BracketFault {
  readonly fault: Phrase
  readonly offset: number
  /** It shows only at the end: something was opened and never closed. */
  readonly isAtEnd: boolean
}

const CLOSES: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }
const CLOSERS: ReadonlySet<string> = new Set(Object.values(CLOSES))
/** Comments, whole texts, patterns where a value may stand, and what is left open of them. */
const SKIPPED =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=(?:^|[=(,:[!&|?{};+~^<>*%-]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\n\\[])+\/\w*|'(?:\\[\s\S]|[^'\n\\])*'?|"(?:\\[\s\S]|[^"\n\\])*"?|[`{}()[\]]/g
/** The text of a template up to a value in it or to its end. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(`|\$\{)?/y

/** The first bracket that has no partner, or text without a closing quote, of code that cannot be compiled; null where all have theirs. */
export function bracketFault(code: string): BracketFault | null {
  /** Closers that are awaited; `}` of a value in a template is written `$}`. */
  const open: string[] = []
  const pieces = new RegExp(SKIPPED)
  const template = new RegExp(TEMPLATE)
  for (let found = pieces.exec(code); found !== null; found = pieces.exec(code)) {
    const [piece] = found
    const at = found.index
    const awaited = open.at(-1)
    if (/^['"]/.test(piece) && (piece.length === 1 || !piece.endsWith(piece[0] ?? '')))
      return { fault: phrase('Unterminated string'), offset: at, isAtEnd: false }
    const isResumed = piece === '}' && awaited === '$}'
    if (piece === '`' || isResumed) {
      if (isResumed) open.pop()
      template.lastIndex = at + 1
      const [text = '', end] = template.exec(code) ?? []
      if (end === undefined)
        return { fault: phrase('Unterminated template literal'), offset: at, isAtEnd: false }
      if (end !== '`') open.push('$}')
      pieces.lastIndex = at + 1 + text.length
    } else if (CLOSES[piece] !== undefined) {
      open.push(CLOSES[piece])
    } else if (CLOSERS.has(piece)) {
      if (awaited === undefined)
        return { fault: phrase("one '{token}' too many", { token: piece }), offset: at, isAtEnd: false }
      if (awaited !== piece)
        return {
          fault: phrase("'{token}' is missing before this", { token: awaited.slice(-1) }),
          offset: at,
          isAtEnd: false,
        }
      open.pop()
    }
  }
  const last = open.at(-1)
  return last === undefined
    ? null
    : {
        fault: phrase("'{token}' is missing: the code ends here", { token: last.slice(-1) }),
        offset: code.trimEnd().length,
        isAtEnd: true,
      }
}
