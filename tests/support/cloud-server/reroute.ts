/** A fetch that sends all requests for a cloud to the test server, with the original host. */
export function rerouteTo(origin: string): typeof fetch {
  return (input, init) => {
    const url = new URL(String(input))
    if (url.origin === origin) return fetch(url, init)
    const headers = new Headers(init?.headers)
    headers.set('x-original-host', url.host)
    const target = String(input).slice(url.origin.length)
    return fetch(`${origin}${target.startsWith('/') ? target : `/${target}`}`, { ...init, headers })
  }
}
