import { createElement, Fragment, type ReactNode } from 'react'
import { groupNodes } from '../../core/widgets/rich-nodes.ts'
import { type HtmlElement, type HtmlNode, parseHtml } from './html-parse.ts'
import { type LinkTarget, linkTarget, safeImage, safePicture } from './safe-url.ts'

/** Elements that are drawn. Of others only the children are drawn; {@link DROPPED} are removed with their content. */
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
/** Elements that are merged in a long text, if their content allows it. */
const PLAIN = new Set('div p h1 h2 h3 h4 h5 h6'.split(' '))

/** The components for parts that need more than an element. */
export interface RichParts {
  readonly picture: (picture: {
    readonly key: string
    readonly src: string
    readonly alt: string
  }) => ReactNode
  readonly media: (media: {
    readonly key: string
    readonly kind: 'video' | 'audio'
    readonly sources: readonly string[]
    readonly poster: string
  }) => ReactNode
  readonly link: (
    link: {
      readonly key: string
      /** The address as written. */
      readonly href: string
      readonly target: LinkTarget | undefined
      readonly place: string | undefined
    },
    children: readonly ReactNode[],
  ) => ReactNode
}

/**
 * Draws HTML as React elements from an allow list: no text of the author ever reaches a parser of the browser. Of the attributes only safe addresses,
 * `alt`, `title`, anchor names, cell spans and a few plain styles are kept.
 */
export function drawHtml(html: string, parts: RichParts): ReactNode {
  return groupNodes(parseHtml(html), isPlain).map((node, i) =>
    isGroup(node) ? (
      <div key={String(i)} className="vf-html-group">
        {node.map((child, j) => draw(child, `${i}.${j}`, parts))}
      </div>
    ) : (
      draw(node, String(i), parts)
    ),
  )
}

/** Addresses of all pictures in order, for the preview. */
export function picturesOf(html: string): readonly string[] {
  const walk = (node: HtmlNode): readonly string[] => {
    if (typeof node === 'string' || DROPPED.has(node.tag)) return []
    const urls = node.tag === 'img' ? [safePicture(node.attributes.get('src') ?? '')] : []
    return [...urls.filter((src) => src !== ''), ...node.children.flatMap(walk)]
  }
  return parseHtml(html).flatMap(walk)
}

const isGroup = (node: HtmlNode | readonly HtmlNode[]): node is readonly HtmlNode[] => Array.isArray(node)

function isPlain(node: HtmlNode): boolean {
  return typeof node !== 'string' && PLAIN.has(node.tag) && !needsPart(node)
}

function needsPart(node: HtmlElement): boolean {
  return (
    ['img', 'video', 'audio', 'a'].includes(node.tag) ||
    node.children.some((child) => typeof child !== 'string' && needsPart(child))
  )
}

function draw(node: HtmlNode, key: string, parts: RichParts): ReactNode {
  if (typeof node === 'string') return node
  if (DROPPED.has(node.tag)) return null
  const read = (name: string) => node.attributes.get(name) ?? ''
  if (node.tag === 'video' || node.tag === 'audio')
    return parts.media({ key, kind: node.tag, sources: sourcesOf(node), poster: safeImage(read('poster')) })
  if (node.tag === 'img') {
    const src = safePicture(read('src'))
    return src === '' ? null : parts.picture({ key, src, alt: read('alt') })
  }
  const children = node.children.map((child, i) => draw(child, `${i}`, parts))
  if (node.tag === 'a') {
    const href = read('href')
    const target = linkTarget(href)
    return parts.link({ key, href: target === undefined ? '' : href, target, place: placeOf(node) }, children)
  }
  if (!ALLOWED.has(node.tag)) return <Fragment key={key}>{children}</Fragment>
  return createElement(node.tag, { key, ...attributesOf(node) }, ...children)
}

/** The anchor name for links within the text. It never becomes an id of the document, since authors must not set those. */
const placeOf = ({ tag, attributes }: HtmlElement): string | undefined =>
  attributes.get('id') || (tag === 'a' ? attributes.get('name') : undefined) || undefined

/** Its own address and those of its `source` children. */
function sourcesOf(node: HtmlElement): readonly string[] {
  const inner = node.children.flatMap((child) =>
    typeof child !== 'string' && child.tag === 'source' ? [child.attributes.get('src') ?? ''] : [],
  )
  return [node.attributes.get('src') ?? '', ...inner].map(safeImage).filter((src) => src !== '')
}

function attributesOf(element: HtmlElement): Record<string, unknown> {
  const read = (name: string) => element.attributes.get(name) ?? ''
  const found: Record<string, unknown> = {}
  if (/^t[dh]$/.test(element.tag)) {
    if (/^\d{1,2}$/.test(read('colspan'))) found.colSpan = Number(read('colspan'))
    if (/^\d{1,2}$/.test(read('rowspan'))) found.rowSpan = Number(read('rowspan'))
  }
  const place = placeOf(element)
  if (place !== undefined) found['data-place'] = place
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
