import { createElement, Fragment, type ReactNode } from 'react'
import { safeImage, safeLink } from './safe-url.ts'

/** Elements that are drawn; of any other the children are, except for {@link DROPPED}, which vanish whole. */
const ALLOWED = new Set(
  'a abbr b blockquote br caption code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins li mark ol p pre s section small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
)
const DROPPED = new Set(
  'script style iframe object embed template noscript svg math link meta base form input button textarea select title head'.split(
    ' ',
  ),
)
const VOID = new Set(['br', 'hr', 'img'])
const DEPTH = 40
const STYLES = new Set([
  'color',
  'background-color',
  'font-weight',
  'font-style',
  'text-align',
  'text-decoration',
  'font-size',
])

/**
 * Html as elements of ours: parsed into a document that runs nothing and loads nothing, then copied by an allow list (DESIGN 8).
 * Of attributes only safe addresses, `alt`, `title`, spans of cells and a few plain styles come along.
 */
export function drawHtml(html: string): ReactNode {
  if (html.trim() === '') return null
  return childrenOf(parse(html), 0)
}

/** `DOMParser` is a Trusted Types sink: the policy lets any text through, because nothing of the result is put into the page. */
function parse(html: string): Node {
  const source = policy === null ? html : (policy.createHTML(html) as unknown as string)
  return new DOMParser().parseFromString(source, 'text/html').body
}

interface HtmlPolicy {
  createHTML(html: string): unknown
}
interface TypesFactory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): HtmlPolicy
}
const factory = (globalThis as { readonly trustedTypes?: TypesFactory }).trustedTypes
const policy = factory?.createPolicy('vform-html', { createHTML: (html) => html }) ?? null

function childrenOf(parent: Node, depth: number): ReactNode {
  return depth > DEPTH ? null : Array.from(parent.childNodes, (child, i) => draw(child, `${i}`, depth))
}

function draw(node: Node, key: string, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.localName
  if (DROPPED.has(tag)) return null
  const children = VOID.has(tag) ? undefined : childrenOf(node, depth + 1)
  if (!ALLOWED.has(tag)) return <Fragment key={key}>{children}</Fragment>
  return createElement(tag, { key, ...attributesOf(node) }, children)
}

function attributesOf(element: Element): Record<string, unknown> {
  const read = (name: string) => element.getAttribute(name) ?? ''
  const found: Record<string, unknown> = {}
  if (element.localName === 'a') {
    found.href = safeLink(read('href'))
    if (/^https?:/i.test(read('href').trim()))
      Object.assign(found, { target: '_blank', rel: 'noopener noreferrer' })
  }
  if (element.localName === 'img')
    Object.assign(found, { src: safeImage(read('src')) || undefined, alt: read('alt'), loading: 'lazy' })
  if (/^t[dh]$/.test(element.localName)) {
    if (/^\d{1,2}$/.test(read('colspan'))) found.colSpan = Number(read('colspan'))
    if (/^\d{1,2}$/.test(read('rowspan'))) found.rowSpan = Number(read('rowspan'))
  }
  const style = stylesOf(read('style'))
  if (Object.keys(style).length > 0) found.style = style
  return found
}

function stylesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const rule of text.split(';')) {
    const at = rule.indexOf(':')
    const name = rule.slice(0, at).trim().toLowerCase()
    const value = rule.slice(at + 1).trim()
    if (!STYLES.has(name) || !/^[\w\s#.,%()-]+$/.test(value) || /url|expression|var/i.test(value)) continue
    found[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = value
  }
  return found
}
