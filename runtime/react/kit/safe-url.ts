import { isStoredFile } from '../../core/data/stored-file.ts'

const IN_APP = /^(#|\/(?!\/)|\.\/)/
const NAMED = /^[a-z][\w+.-]*:/i

/** An address for a picture: in-app, https, blob or a data picture; anything else is empty. */
export function safeImage(url: string): string {
  if (IN_APP.test(url) || !NAMED.test(url)) return url.startsWith('//') ? '' : url
  return /^(https?:|blob:|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,])/i.test(url) ? url : ''
}

/** An address for a picture, or the id of a stored one, whose address is looked up where it is drawn. */
export function safePicture(url: string): string {
  return isStoredFile(url) ? url : safeImage(url)
}

/** Where a link leads: a page of ours, a place in the same text, or an address outside. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'place'; readonly name: string }
  | { readonly kind: 'outside'; readonly href: string }

/**
 * What a link of an author may lead to: `/pages/…` (also written `#/pages/…`) is a page, `#name` a place, and of other addresses
 * https, http, tel and mailto; undefined for anything else.
 */
export function linkTarget(url: string): LinkTarget | undefined {
  const plain = [...url].filter((sign) => sign > ' ').join('')
  const inApp = plain.replace(/^#(?=\/)/, '')
  if (/^\/(?![/\\])/.test(inApp)) return { kind: 'page', url: inApp }
  if (/^#./.test(plain)) return { kind: 'place', name: decoded(plain.slice(1)) }
  return /^(https?:|tel:|mailto:)/i.test(plain) ? { kind: 'outside', href: plain } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
