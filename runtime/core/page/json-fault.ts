import { type Phrase, phrase } from '../errors.ts'

/** A position in a text; line and column count from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** The position of a character. */
export function lineAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Why a text is not JSON, with line and column; null if the engine reports no position. */
export function jsonFault(
  error: unknown,
  text: string,
): { readonly reason: Phrase; readonly place: TextPlace | null } {
  const message = error instanceof Error ? error.message : String(error)
  const position = positionOf(message, text)
  const fault = engineFault(message)
  if (position === null) return { reason: fault, place: null }
  const place = lineAt(text, position)
  return { reason: phrase('line {line}, column {column}: {fault}', { ...place, fault }), place }
}

/** The engine's message about JSON, a pattern or code, without position and quoted text. */
export function engineFault(message: string): Phrase {
  const words = message
    .replace(/\s+/g, ' ')
    .replace(/^Invalid regular expression: \/.*\/[a-z]*: /, '')
    .replace(/, (?:\.\.\.)?".*$| in JSON at position .*$| at position .*$/, '')
  const token = /^Unexpected token '(.+)'$/.exec(words)?.[1]
  return token === undefined ? phrase(words) : phrase("Unexpected token '{token}'", { token })
}

/** V8 gives a position, or quotes some text around the fault. */
function positionOf(message: string, text: string): number | null {
  const offset = /at position (\d+)/.exec(message)?.[1]
  if (offset !== undefined) return Number(offset)
  if (message.startsWith('Unexpected end')) return text.length
  const [, token = '', quoted = ''] =
    /^Unexpected token '(.+?)', (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? []
  const start = text.indexOf(quoted)
  if (quoted === '' || start < 0) return null
  // V8 quotes ten characters on either side of the fault.
  const from = message.includes('..."') ? 10 : 0
  const at = quoted.indexOf(token, from)
  return at < 0 ? null : start + at
}
