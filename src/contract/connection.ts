/** What a connection may be asked with. */
export const CONNECTION_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type ConnectionMethod = (typeof CONNECTION_METHODS)[number]

/** How a connection is called in addresses: `conn:<name>/path`. */
export const CONNECTION_NAME = /^[a-z][a-z0-9_-]{0,39}$/

/** The calls of our server that ask outside: what only reads, and what may change something there. */
export const CONNECTION_READ = '/mini/connection/read'
export const CONNECTION_SEND = '/mini/connection/send'
/** Longer than any connection may take: the server's sentence about a slow one arrives. */
export const CONNECTION_WAIT_MS = 40_000

/** A connection and the path below its address, with the query; null for an address of another kind or without a proper name. */
function connectionAddress(url: string): { readonly name: string; readonly path: string } | null {
  const [, name = '', path = ''] = /^conn:([^/?#]*)([^#]*)/.exec(url) ?? []
  if (!CONNECTION_NAME.test(name)) return null
  return { name, path: path.startsWith('/') ? path : `/${path}` }
}

/** What stands for a call of a connection: a call of our own server. */
export interface ConnectionRequest<Body> {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: {
    readonly name: string
    readonly path: string
    readonly method: string
    readonly body?: Body
  }
}

/** The call of our server that stands for a call of a connection; null when the request goes elsewhere. */
export function connectionRequest<Body>({
  url,
  method,
  body,
}: {
  readonly url: string
  readonly method: string
  readonly body?: Body | undefined
}): ConnectionRequest<Body> | null {
  const address = connectionAddress(url)
  if (address === null) return null
  if (method === 'GET') return { method, url: `${CONNECTION_READ}?${new URLSearchParams({ ...address })}` }
  const sent = { ...address, method, ...(body === undefined ? {} : { body }) }
  return { method: 'POST', url: CONNECTION_SEND, body: sent }
}

/** Names of connections that stand in a document, each with where: what is put together at run time is not seen. */
export function connectionsIn(document: unknown): readonly { readonly at: string; readonly name: string }[] {
  const found: { at: string; name: string }[] = []
  const look = (value: unknown, at: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value))
        look(part, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (typeof value !== 'string' || !at.endsWith('/requestURL')) return
    const [, name] = /^\s*conn:([^/?#]*)/.exec(value) ?? []
    if (name !== undefined && !name.includes('{{')) found.push({ at, name })
  }
  look(document, '')
  return found
}
