import { isStoredFile } from '../core/data/stored-file.ts'

const IN_APP = /^(#|\/(?!\/)|\.\/)/
const NAMED = /^[a-z][\w+.-]*:/i

/** An address for a picture: in-app, https, blob or a data picture; anything else is empty (DESIGN 8). */
export function safeImage(url: string): string {
  if (IN_APP.test(url) || !NAMED.test(url)) return url.startsWith('//') ? '' : url
  return /^(https?:|blob:|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,])/i.test(url) ? url : ''
}

/** An address for a picture, or the id of a stored one, whose address is looked up where it is drawn. */
export function safePicture(url: string): string {
  return isStoredFile(url) ? url : safeImage(url)
}

/** An address for a link: in-app, https, tel or mailto; undefined for anything else. */
export function safeLink(url: string): string | undefined {
  const plain = [...url].filter((sign) => sign > ' ').join('')
  if (IN_APP.test(plain) || /^(https?:|tel:|mailto:)/i.test(plain)) return plain
  return undefined
}
