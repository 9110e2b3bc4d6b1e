import { scopeCss } from '../../../runtime/core/page/scope-css.ts'

/** A part of a page's CSS that has no effect, or a missing bracket. */
export interface CssFault {
  readonly from: number
  readonly to: number
  readonly kind: 'selector' | 'declaration' | 'rule' | 'bracket'
}

/** The parts of a page's own CSS that have no effect, with their positions, determined by the code that applies the CSS. */
export function cssFaults(code: string): readonly CssFault[] {
  // Replaced by a text of the same length, so that positions stay valid.
  const text = code.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (found) => ' '.repeat(found.length))
  return faultsIn(text, 0, true)
}

function faultsIn(text: string, from: number, isTop: boolean): CssFault[] {
  const found: CssFault[] = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    const prelude = trimmed(text, at, open < 0 ? text.length : open)
    if (open < 0) {
      if (prelude.from < prelude.to) found.push(placed(prelude, from, 'bracket'))
      break
    }
    const close = endOf(text, open)
    const body = text.slice(open + 1, close ?? text.length)
    if (close === null) found.push({ from: from + open, to: from + open + 1, kind: 'bracket' })
    found.push(...ofRule(text, prelude, body, { from, bodyAt: from + open + 1, isTop }))
    at = (close ?? text.length) + 1
  }
  return found
}

interface Span {
  readonly from: number
  readonly to: number
}

interface Where {
  readonly from: number
  readonly bodyAt: number
  readonly isTop: boolean
}

function ofRule(text: string, prelude: Span, body: string, { from, bodyAt, isTop }: Where): CssFault[] {
  const head = text.slice(prelude.from, prelude.to)
  if (head.startsWith('@')) {
    const isRead = isTop && scopeCss(`${head}{a{color:red}}`, 'x') !== ''
    return isRead ? faultsIn(body, bodyAt, false) : [placed(prelude, from, 'rule')]
  }
  if (body.includes('{')) return [placed(prelude, from, 'rule')]
  const selectors = spansOf(head, ',').filter(
    ({ from: a, to: b }) => scopeCss(`${head.slice(a, b)}{color:red}`, 'x') === '',
  )
  const declarations = spansOf(body, ';').filter(
    ({ from: a, to: b }) => a < b && scopeCss(`a{${body.slice(a, b)}}`, 'x') === '',
  )
  return [
    ...selectors.map((selector) => placed(selector, from + prelude.from, 'selector')),
    ...declarations.map((declaration) => placed(declaration, bodyAt, 'declaration')),
  ]
}

const placed = (span: Span, by: number, kind: CssFault['kind']): CssFault => ({
  from: by + span.from,
  to: by + span.to,
  kind,
})

/** The parts between separators outside quotes and brackets, without surrounding blanks. */
function spansOf(text: string, sign: string): Span[] {
  const spans: Span[] = []
  let [begin, depth, quote] = [0, 0, '']
  for (let i = 0; i <= text.length; i += 1) {
    const letter = text[i] ?? sign
    const isEnd = i === text.length || (letter === sign && depth === 0 && quote === '')
    if (isEnd) {
      spans.push(trimmed(text, begin, i))
      begin = i + 1
    } else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
  }
  return spans
}

function trimmed(text: string, from: number, to: number): Span {
  const part = text.slice(from, to)
  const start = from + (part.length - part.trimStart().length)
  return { from: start, to: Math.max(start, from + part.trimEnd().length) }
}

/** The position of the bracket that closes the one at a position; null if there is none. */
function endOf(text: string, open: number): number | null {
  let depth = 0
  for (let i = open; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1
    if (text[i] === '}') depth -= 1
    if (depth === 0) return i
  }
  return null
}
