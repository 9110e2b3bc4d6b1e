import type { Client, TestApp } from '../support.ts'

const SESSION_MS = 6 * 3_600_000

/** A demo person who signs in again when the test has moved the clock past the life of his session. */
export function person(server: TestApp, account: string): Client {
  let signedIn: { readonly client: Promise<Client>; readonly at: number } | null = null
  const client = () => {
    const { now } = server.clock
    if (signedIn === null || Math.abs(now - signedIn.at) > SESSION_MS)
      signedIn = { client: server.as(account, `device-${account}`), at: now }
    return signedIn.client
  }
  return {
    token: '',
    get: async (url, headers) => (await client()).get(url, headers),
    post: async (url, body) => (await client()).post(url, body),
  }
}
