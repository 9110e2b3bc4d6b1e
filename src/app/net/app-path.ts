import type { Http } from '../../../runtime/core/ports.ts'

/** The path the app is served under, without a trailing slash: '' at the root of its host, `/crm` below a path of another site. */
export const pathOf = (address: string): string => new URL('.', address).pathname.slice(0, -1)

/**
 * Resolves an address of our own site, which pages and stored data write from the app's root, to the address for the browser. Other addresses stay
 * unchanged.
 */
export const withBasePath = (url: string, path: string = pathOf(location.href)): string =>
  /^\/(?![/\\])/.test(url) ? path + url : url

/** The network port of an app that may be served below a path. */
export const basePathHttp = (http: Http): Http => ({
  send: (request) => http.send({ ...request, url: withBasePath(request.url) }),
  upload: (request) => http.upload({ ...request, url: withBasePath(request.url) }),
})
