import { createElement, Fragment, type ReactNode } from 'react'
import { type HtmlElement, type HtmlNode, parseHtml } from './html-parse.ts'
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
 * Html as elements of ours, by an allow list (DESIGN 8): no text of the author ever reaches a parser of the browser. Of attributes
 * only safe addresses, `alt`, `title`, spans of cells and a few plain styles come along.
 */
export function drawHtml(html: string): ReactNode {
  return parseHtml(html).map((node, i) => draw(node, `${i}`))
}

function draw(node: HtmlNode, key: string): ReactNode {
  if (typeof node === 'string') return node
  if (DROPPED.has(node.tag)) return null
  const children = node.children.map((child, i) => draw(child, `${i}`))
  if (!ALLOWED.has(node.tag)) return <Fragment key={key}>{children}</Fragment>
  return createElement(node.tag, { key, ...attributesOf(node) }, ...children)
}

function attributesOf(element: HtmlElement): Record<string, unknown> {
  const read = (name: string) => element.attributes.get(name) ?? ''
  const found: Record<string, unknown> = {}
  if (element.tag === 'a') {
    found.href = safeLink(read('href'))
    if (/^https?:/i.test(read('href').trim()))
      Object.assign(found, { target: '_blank', rel: 'noopener noreferrer' })
  }
  if (element.tag === 'img')
    Object.assign(found, { src: safeImage(read('src')) || undefined, alt: read('alt'), loading: 'lazy' })
  if (/^t[dh]$/.test(element.tag)) {
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
