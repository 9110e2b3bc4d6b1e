import { isStoredFile } from '../../core/data/stored-file.ts'

const IN_APP = /^(#|\/(?!\/)|\.\/)/
const NAMED = /^[a-z][\w+.-]*:/i

/** A safe address for a picture: in-app, https, blob or a data picture; '' for anything else. */
export function safeImage(url: string): string {
  if (IN_APP.test(url) || !NAMED.test(url)) return url.startsWith('//') ? '' : url
  return /^(https?:|blob:|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,])/i.test(url) ? url : ''
}

/** A safe address for a picture, or the id of a stored one, which is resolved when it is drawn. */
export function safePicture(url: string): string {
  return isStoredFile(url) ? url : safeImage(url)
}

/** Targets of links: a page of the app, an anchor in the same text, or an external address. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'place'; readonly name: string }
  | { readonly kind: 'outside'; readonly href: string }

/**
 * The target of an author's link: `/pages/…` (also `#/pages/…`) is a page, `#name` an anchor; other addresses only with https, http, tel and mailto.
 * Undefined for anything else.
 */
export function linkTarget(url: string): LinkTarget | undefined {
  const visible = [...url].filter((sign) => sign > ' ').join('')
  const inApp = visible.replace(/^#(?=\/)/, '')
  if (/^\/(?![/\\])/.test(inApp)) return { kind: 'page', url: inApp }
  if (/^#./.test(visible)) return { kind: 'place', name: decoded(visible.slice(1)) }
  return /^(https?:|tel:|mailto:)/i.test(visible) ? { kind: 'outside', href: visible } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
