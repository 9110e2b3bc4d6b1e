/** A pattern as a tree. `char` is anything that matches exactly one character; its source is passed to the native engine. */
export type PatternNode =
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: PatternNode }
  | {
      readonly kind: 'repeat'
      readonly body: PatternNode
      readonly repeat: Repeat
      readonly groups: GroupRange
    }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'word' | 'notWord' }
  | {
      readonly kind: 'look'
      readonly behind: boolean
      readonly negative: boolean
      readonly body: PatternNode
    }
  | { readonly kind: 'back'; readonly to: number | string }

interface Repeat {
  readonly min: number
  readonly max: number
  readonly greedy: boolean
}

/** Capture groups opened inside a node: `from` included, `to` not. */
interface GroupRange {
  readonly from: number
  readonly to: number
}

export interface ParsedPattern {
  readonly root: PatternNode
  /** Number of capture groups; they count from 1. */
  readonly groups: number
  readonly names: ReadonlyMap<string, readonly number[]>
}

const MAX_DEPTH = 100

/**
 * Parses a pattern that the native engine has accepted, so its syntax is known to be valid.
 *
 * @param unicode  the flag `u`: characters are code points and loose escapes do not exist
 * @returns null for what this parser does not support (nesting beyond 100 levels, newer syntax)
 */
export function readPattern(source: string, unicode: boolean): ParsedPattern | null {
  const reader = new Reader(source, unicode)
  const root = reader.choice(0)
  if (root === null || !reader.done()) return null
  return { root, groups: reader.opened, names: reader.names }
}

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/
const WIDTHS = /^\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z])/
const SURROGATES = /^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/
const BRACED = /^\\(?:u|p|P)\{[^}]*\}/
const OCTAL = /^\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/

class Reader {
  readonly names = new Map<string, number[]>()
  opened = 0
  private at = 0
  private readonly total: number
  private readonly named: boolean
  private readonly source: string
  private readonly unicode: boolean

  constructor(source: string, unicode: boolean) {
    this.source = source
    this.unicode = unicode
    const heads = captureHeads(source)
    this.total = heads.length
    this.named = unicode || heads.some((head) => head.startsWith('(?<'))
  }

  done(): boolean {
    return this.at === this.source.length
  }

  choice(depth: number): PatternNode | null {
    if (depth > MAX_DEPTH) return null
    const items: PatternNode[] = []
    do {
      const item = this.sequence(depth)
      if (item === null) return null
      items.push(item)
    } while (this.take('|'))
    const [only] = items
    return items.length === 1 && only !== undefined ? only : { kind: 'choice', items }
  }

  private sequence(depth: number): PatternNode | null {
    const items: PatternNode[] = []
    while (!this.done() && !this.sees('|') && !this.sees(')')) {
      const from = this.opened + 1
      const atom = this.atom(depth)
      if (atom === null) return null
      const repeat = this.repeat()
      const groups = { from, to: this.opened + 1 }
      items.push(repeat === null ? atom : { kind: 'repeat', body: atom, repeat, groups })
    }
    return { kind: 'sequence', items }
  }

  private repeat(): Repeat | null {
    const found = QUANTIFIER.exec(this.source.slice(this.at, this.at + 40))
    if (found === null) return null
    this.at += found[0].length
    const greedy = !this.take('?')
    const sign = found[0][0]
    if (sign === '*') return { min: 0, max: Number.POSITIVE_INFINITY, greedy }
    if (sign === '+') return { min: 1, max: Number.POSITIVE_INFINITY, greedy }
    if (sign === '?') return { min: 0, max: 1, greedy }
    const min = Number(found[1])
    if (found[2] === undefined) return { min, max: min, greedy }
    return { min, max: found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]), greedy }
  }

  private atom(depth: number): PatternNode | null {
    if (this.take('^')) return { kind: 'assert', what: 'start' }
    if (this.take('$')) return { kind: 'assert', what: 'end' }
    if (this.take('\\b')) return { kind: 'assert', what: 'word' }
    if (this.take('\\B')) return { kind: 'assert', what: 'notWord' }
    if (this.sees('(')) return this.group(depth)
    if (this.take('.')) return { kind: 'char', source: '.' }
    if (this.sees('[')) return { kind: 'char', source: this.cut(this.classLength()) }
    if (this.sees('\\')) return this.escape()
    const code = this.unicode ? (this.source.codePointAt(this.at) ?? 0) : 0
    return { kind: 'char', source: literal(this.cut(code > 0xffff ? 2 : 1)) }
  }

  private group(depth: number): PatternNode | null {
    for (const [head, behind, negative] of LOOKS) {
      if (!this.take(head)) continue
      const body = this.body(depth)
      return body && { kind: 'look', behind, negative, body }
    }
    if (this.take('(?:')) return this.body(depth)
    const head = /^\((?:\?<([^>]*)>)?/.exec(this.source.slice(this.at, this.at + 200))
    if (head === null || (this.sees('(?') && head[1] === undefined)) return null
    this.at += head[0].length
    this.opened += 1
    const index = this.opened
    if (head[1] !== undefined) this.names.set(head[1], [...(this.names.get(head[1]) ?? []), index])
    const body = this.body(depth)
    return body && { kind: 'group', index, body }
  }

  private body(depth: number): PatternNode | null {
    const body = this.choice(depth + 1)
    return this.take(')') ? body : null
  }

  private escape(): PatternNode {
    const rest = this.source.slice(this.at, this.at + 200)
    const name = this.named ? /^\\k<([^>]*)>/.exec(rest) : null
    if (name?.[1] !== undefined) {
      this.at += name[0].length
      return { kind: 'back', to: name[1] }
    }
    const digits = /^\\([1-9]\d*)/.exec(rest)
    if (digits !== null && (this.unicode || Number(digits[1]) <= this.total)) {
      this.at += digits[0].length
      return { kind: 'back', to: Number(digits[1]) }
    }
    return { kind: 'char', source: this.escapedChar(rest) }
  }

  private escapedChar(rest: string): string {
    const braced = this.unicode ? (SURROGATES.exec(rest) ?? BRACED.exec(rest)) : OCTAL.exec(rest)
    const found = braced ?? WIDTHS.exec(rest)
    if (found !== null) return this.cut(found[0].length)
    if (/^\\c/.test(rest)) return literal(this.cut(1))
    return this.cut(2)
  }

  private classLength(): number {
    let end = this.at + 1
    while (end < this.source.length && this.source[end] !== ']') end += this.source[end] === '\\' ? 2 : 1
    return end + 1 - this.at
  }

  private cut(length: number): string {
    const text = this.source.slice(this.at, this.at + length)
    this.at += length
    return text
  }

  private sees(text: string): boolean {
    return this.source.startsWith(text, this.at)
  }

  private take(text: string): boolean {
    const found = this.sees(text)
    if (found) this.at += text.length
    return found
  }
}

const LOOKS: readonly (readonly [string, boolean, boolean])[] = [
  ['(?=', false, false],
  ['(?!', false, true],
  ['(?<=', true, false],
  ['(?<!', true, true],
]

/** The openings of capture groups, in order. */
function captureHeads(source: string): string[] {
  const tokens = source.match(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?<(?![=!])|\?|)/g) ?? []
  return tokens.filter((token) => token === '(' || token === '(?<')
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}
