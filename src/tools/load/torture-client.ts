import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Servers } from './servers.ts'
import {
  type AcknowledgedWrites,
  type Answer,
  type InstallationClient,
  type Kind,
  sumOf,
} from './torture-writes.ts'

/** Checks of the acknowledged writes. */
export interface Counted {
  readonly acknowledged: number
  /** Acknowledged but missing. */
  readonly lost: readonly string[]
  /** Stored more than once. */
  readonly twice: readonly string[]
}

const RETRY_DELAY_MS = 50

/** A client of an installation: repeats each call until the answer is not "later". */
export function createClient(servers: Pick<Servers, 'url'>): InstallationClient {
  const attempt = async (path: string, token: string, body?: object | FormData): Promise<Answer | null> => {
    const isForm = body instanceof FormData
    try {
      const answer = await fetch(servers.url() + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: token, ...(isForm ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      })
      return LATER.has(answer.status) ? null : ((await answer.json()) as Answer)
    } catch {
      return null
    }
  }
  const ask = async (path: string, token: string, body?: object | FormData): Promise<Answer> => {
    for (;;) {
      const answer = await attempt(path, token, body)
      if (answer !== null) return answer
      await pause(RETRY_DELAY_MS)
    }
  }
  return {
    async signIn(account) {
      const body = { account, password: 'Crm@2026', agree: true, deviceId: `torture-${account}` }
      const { data } = await ask('/mini/login/validate', '', body)
      const token = data.token ?? ''
      const mine = await ask('/mini/customer/list', token, { tab: 'mine', limit: 1 })
      return { token, customer: mine.data.list?.[0]?.id ?? '' }
    },
    send: ({ token }, path, body) => ask(path, token, body),
    ask: ({ token }, path) => ask(path, token),
    async read({ token }, path) {
      const answer = await fetch(servers.url() + path, { headers: { authorization: token } })
      return Buffer.from(await answer.arrayBuffer())
    },
  }
}

/** The built server. */
export const BUILT = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))

/** The server or its database is unavailable or overloaded. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Counts the acknowledged writes in the database. */
export async function counted(
  { tokens, files }: Pick<AcknowledgedWrites, 'tokens' | 'files'>,
  kinds: readonly Kind[],
  { room, databaseUrl }: { readonly room: InstallationClient; readonly databaseUrl: string },
): Promise<Counted> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const stored = new Map<string, number>()
  for (const { counts } of new Set(kinds)) {
    if (counts === null) continue
    const { rows } = await client.query<{ token: string; n: number }>(counts)
    for (const { token, n } of rows) stored.set(token, n)
  }
  await client.end()
  const lost = [...tokens.keys()].filter((token) => !stored.has(token))
  for (const [id, { sum, sender }] of files) {
    const content = await room.read(sender, `/engine/web/file/${id}`)
    if (sumOf(content) !== sum) lost.push(`file ${id}`)
  }
  const twice = [...stored].filter(([, n]) => n > 1).map(([token]) => token)
  return { acknowledged: tokens.size + files.size, lost, twice }
}
