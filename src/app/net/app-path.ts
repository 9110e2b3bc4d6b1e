import type { Http } from '../../../runtime/core/ports.ts'

/** Where the app is served, without a slash at its end: '' at the root of its host, `/crm` below a path of another site. */
export const pathOf = (address: string): string => new URL('.', address).pathname.slice(0, -1)

/** Pages and stored addresses name our own site from its root; this is what a browser asks for. Other addresses stay as they are. */
export const placed = (url: string, path: string = pathOf(location.href)): string =>
  /^\/(?![/\\])/.test(url) ? path + url : url

/** The network of an app that may be served below a path. */
export const placedHttp = (http: Http): Http => ({
  send: (request) => http.send({ ...request, url: placed(request.url) }),
  upload: (request) => http.upload({ ...request, url: placed(request.url) }),
})
