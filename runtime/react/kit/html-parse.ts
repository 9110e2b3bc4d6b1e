/** HTML as data: texts, and elements with their attributes as written. */
export type HtmlNode = string | HtmlElement

export interface HtmlElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly HtmlNode[]
}

interface OpenElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: HtmlNode[]
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements whose content is plain text up to their end tag. */
const RAW = new Set(
  'script style iframe noscript noembed noframes template textarea title xmp svg math'.split(' '),
)
/** An opening tag closes an open element of the same group. */
const SIBLINGS: readonly ReadonlySet<string>[] = [
  new Set(['li']),
  new Set(['dt', 'dd']),
  new Set(['tr']),
  new Set(['td', 'th']),
  new Set(['p']),
]
const DEPTH = 60
const TAG_START = /<(\/?)([a-z][a-z0-9-]*)/iy
const TAG_PART = /["'>]/g
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g

/**
 * Parses HTML without the browser's parser, which checks every event handler against the page's policy, even in a document that is never shown. As
 * tolerant as authors need, not as the standard. Never throws; anything unreadable becomes text.
 */
export function parseHtml(html: string): readonly HtmlNode[] {
  const root: OpenElement = { tag: '', attributes: new Map(), children: [] }
  const open: OpenElement[] = [root]
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next < 0) break
    addText(open, html.slice(at, next))
    at = html.startsWith('<!', next) ? afterComment(html, next) : readTag(html, next, open)
  }
  addText(open, html.slice(at))
  return root.children
}

function readTag(html: string, at: number, open: OpenElement[]): number {
  TAG_START.lastIndex = at
  const found = TAG_START.exec(html)
  if (found === null) {
    addText(open, '<')
    return at + 1
  }
  const start = TAG_START.lastIndex
  const end = endOfTag(html, start)
  if (end < 0) {
    addText(open, html.slice(at))
    return html.length
  }
  const tag = (found[2] ?? '').toLowerCase()
  if (found[1] === '/') {
    close(open, tag)
    return end + 1
  }
  const rest = html.slice(start, end)
  const element = addElement(open, tag, rest)
  if (RAW.has(tag)) return afterRaw(html, end + 1, tag)
  if (!VOID.has(tag) && !rest.endsWith('/') && open.length < DEPTH) open.push(element)
  return end + 1
}

/** The index of the tag's `>`, ignoring those in quoted values; -1 if there is none. Reads each character once. */
function endOfTag(html: string, start: number): number {
  TAG_PART.lastIndex = start
  for (let found = TAG_PART.exec(html); found !== null; found = TAG_PART.exec(html)) {
    const [sign] = found
    if (sign === '>') return found.index
    if (html[found.index - 1] !== '=') continue
    const end = html.indexOf(sign, found.index + 1)
    if (end < 0) return -1
    TAG_PART.lastIndex = end + 1
  }
  return -1
}

function addElement(open: OpenElement[], tag: string, written: string): OpenElement {
  const group = SIBLINGS.find((siblings) => siblings.has(tag))
  const last = open.at(-1)
  if (group !== undefined && last !== undefined && group.has(last.tag)) open.pop()
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, unquoted] of written.matchAll(ATTRIBUTE)) {
    attributes.set(name.toLowerCase(), readEntities(double ?? single ?? unquoted ?? ''))
  }
  const element: OpenElement = { tag, attributes, children: [] }
  open.at(-1)?.children.push(element)
  return element
}

function close(open: OpenElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag)
  if (at > 0) open.length = at
}

function addText(open: OpenElement[], text: string): void {
  if (text !== '') open.at(-1)?.children.push(readEntities(text))
}

function afterComment(html: string, at: number): number {
  const [end, length] = html.startsWith('<!--', at)
    ? [html.indexOf('-->', at + 4), 3]
    : [html.indexOf('>', at), 1]
  return end < 0 ? html.length : end + length
}

function afterRaw(html: string, at: number, tag: string): number {
  const ending = new RegExp(`</${tag}`, 'gi')
  ending.lastIndex = at
  const end = ending.test(html) ? html.indexOf('>', ending.lastIndex) : -1
  return end < 0 ? html.length : end + 1
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  yen: '¥',
  middot: '·',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  ldquo: '“',
  rdquo: '”',
  times: '×',
}

function readEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? written) : written
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
