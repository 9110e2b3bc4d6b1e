/** A fetch that sends every address of a cloud to the test server, which learns the host that was meant. */
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
