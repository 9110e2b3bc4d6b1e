/** Maximum length of a page's own css that is read. */
const MAX_LENGTH = 50_000
const MAX_RULES = 1000

const MEDIA = /^@media[\w\s():,.<>=-]+$/
const SELECTOR = /^[\p{L}\p{N}_\-.#:*>+~()\s]+$/u
const PSEUDO = new Set(
  'hover active focus focus-within focus-visible disabled enabled checked first-child last-child only-child nth-child first-of-type last-of-type nth-of-type not is where empty before after placeholder'.split(
    ' ',
  ),
)
const PROPERTY = /^(?:--[\w-]{1,60}|-?[a-z][a-z-]{0,60})$/
const FUNCTIONS = new Set(
  'url var calc min max clamp rgb rgba hsl hsla linear-gradient radial-gradient repeating-linear-gradient repeating-radial-gradient translate translatex translatey translate3d scale scalex scaley rotate skew skewx skewy matrix cubic-bezier steps repeat minmax fit-content env blur brightness contrast grayscale opacity saturate drop-shadow'.split(
    ' ',
  ),
)
/** A string, an address, a name with its bracket, or characters that mean nothing by themselves. */
const VALUE_PART = /"[^"\\\n<>{};]*"|'[^'\\\n<>{};]*'|url\(\s*[^)\s]*\s*\)|[a-z-][\w-]*\(|[\w\s#.,%()+*/!-]/gi
const IN_APP = /^\/(?![/\\])[\w./%?&=~-]*$/
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[\w+/=]+$/i

/**
 * A page's own css as a style sheet that applies only to elements of class `scope` and their descendants. It is parsed and written
 * again: whatever is not known to be harmless is left out, rule by rule and declaration by declaration. Left out are all at-rules but
 * `@media`, attribute selectors, nesting, escapes, `position: fixed`, functions that are not known, and addresses other than in-app paths and pictures as data.
 *
 * Never throws; takes time in proportion to the length of the text, of which the first 50,000 signs count.
 */
export function scopeCss(code: string, scope: string): string {
  const text = code.slice(0, MAX_LENGTH).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
  return sheetOf(text, scope, { left: MAX_RULES }, true)
}

interface Budget {
  left: number
}

function sheetOf(text: string, scope: string, budget: Budget, top: boolean): string {
  let out = ''
  for (const { prelude, body } of blocksOf(text)) {
    if (budget.left <= 0) break
    budget.left -= 1
    if (prelude.startsWith('@')) {
      const inner = top && MEDIA.test(prelude) ? sheetOf(body, scope, budget, false) : ''
      if (inner !== '') out += `${prelude}{${inner}}\n`
      continue
    }
    const selectors = prelude.split(',').flatMap((selector) => scoped(selector.trim(), scope))
    const declarations = body.includes('{') ? [] : declarationsOf(body)
    if (selectors.length > 0 && declarations.length > 0)
      out += `${selectors.join(',')}{${declarations.join(';')}}\n`
  }
  return out
}

interface Block {
  /** What stands before the bracket, after the last `;`. */
  readonly prelude: string
  readonly body: string
}

/** The blocks of a text in order; an unterminated one is ignored. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let depth = 0
  let from = 0
  let open = 0
  for (const { 0: sign, index: at } of text.matchAll(/"[^"\n]*"|'[^'\n]*'|[{}]/g)) {
    if (sign === '{') {
      if (depth === 0) open = at
      depth += 1
    } else if (sign === '}' && depth > 0) {
      depth -= 1
      if (depth > 0) continue
      const prelude = text.slice(from, open).split(';').at(-1)?.trim() ?? ''
      blocks.push({ prelude, body: text.slice(open + 1, at) })
      from = at + 1
    } else if (sign === '}') from = at + 1
  }
  return blocks
}

/** The selector within the scope, and for the scope itself if it begins with a class; empty if it is not allowed. */
function scoped(selector: string, scope: string): readonly string[] {
  const brackets = [...selector].reduce((open, sign) => (open < 0 ? open : open + bracket(sign)), 0)
  const pseudo = [...selector.matchAll(/::?([\w-]*)/g)].every(([, name = '']) => PSEUDO.has(name))
  if (selector.length > 200 || !SELECTOR.test(selector) || /^[>+~]/.test(selector)) return []
  if (brackets !== 0 || !pseudo) return []
  return [`.${scope} ${selector}`, ...(selector.startsWith('.') ? [`.${scope}${selector}`] : [])]
}

const bracket = (sign: string): number => (sign === '(' ? 1 : sign === ')' ? -1 : 0)

function declarationsOf(body: string): readonly string[] {
  return partsOf(body).flatMap((part) => {
    const at = part.indexOf(':')
    const property = part.slice(0, at).trim().toLowerCase()
    const value = part.slice(at + 1).trim()
    if (at < 0 || !PROPERTY.test(property) || value === '') return []
    if (property === 'position' && !/^(?:static|relative|absolute|sticky)$/i.test(value)) return []
    const written = writtenValue(value)
    return written === null ? [] : [`${property}:${written}`]
  })
}

/** Split at each `;` outside strings and brackets. */
function partsOf(body: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: sign, index: at } of body.matchAll(/"[^"\n]*"|'[^'\n]*'|[();]/g)) {
    if (sign === '(' || sign === ')') depth = Math.max(0, depth + bracket(sign))
    if (sign !== ';' || depth > 0) continue
    parts.push(body.slice(from, at))
    from = at + 1
  }
  return [...parts, body.slice(from)]
}

/** The value rewritten; null if any part is not known to be harmless. */
function writtenValue(value: string): string | null {
  let out = ''
  let depth = 0
  let read = 0
  for (const { 0: part } of value.matchAll(VALUE_PART)) {
    read += part.length
    if (/^url\(/i.test(part)) {
      const address = part
        .slice(4, -1)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
      if (!IN_APP.test(address) && !PICTURE.test(address)) return null
      out += `url("${address}")`
      continue
    }
    if (part.length > 1 && part.endsWith('(') && !FUNCTIONS.has(part.slice(0, -1).toLowerCase())) return null
    if (!/^["']/.test(part)) depth += bracket(part.at(-1) ?? '')
    if (depth < 0) return null
    out += part
  }
  return depth === 0 && read === value.length ? out : null
}
