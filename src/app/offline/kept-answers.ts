import type { Json } from '../../../runtime/core/json.ts'
import type { HttpRequest } from '../../../runtime/core/ports.ts'
import type { KeptCall } from './kept-choices.ts'
import type { KeptAnswer, OfflineDatabase } from './offline-database.ts'

/** What was read, kept for when the network is away. */
export interface KeptAnswers {
  /** The key of an answer; null while nobody is signed in, and nothing is kept. */
  keyOf(request: HttpRequest): string | null
  read(key: string): Promise<KeptAnswer | undefined>
  write(key: string, data: Json): Promise<void>
  /** Everything that is kept of this sign-in, the newest first. */
  all(): Promise<readonly KeptCall[]>
  /** Another user or tenant: data of the last one is removed from the device. */
  clear(): Promise<void>
}

export interface KeptAnswersOptions {
  readonly database: OfflineDatabase
  /** Names the sign-in: one user in one tenant, from login to log-out. */
  readonly signIn: () => string | null
  readonly now: () => number
  /** Maximum number of answers (the oldest are dropped first) and maximum length of one (JSON characters). */
  readonly limits: { readonly count: number; readonly chars: number }
}

/** A device that cannot store keeps nothing, and says nothing of it: these are copies. */
export function createKeptAnswers({ database, signIn, now, limits }: KeptAnswersOptions): KeptAnswers {
  async function trim(): Promise<void> {
    const transaction = (await database()).transaction('answers', 'readwrite')
    let over = (await transaction.store.count()) - limits.count
    for (
      let cursor = over > 0 ? await transaction.store.index('at').openCursor() : null;
      cursor !== null && over > 0;
      cursor = await cursor.continue(), over -= 1
    )
      await cursor.delete()
    await transaction.done
  }

  return {
    keyOf({ method, url, body }) {
      const id = signIn()
      return id === null ? null : `${id} ${method} ${url} ${JSON.stringify(body ?? null)}`
    },
    read: (key) => attempt(async () => (await database()).get('answers', key)),
    async write(key, data) {
      const id = signIn()
      // The answer may have been asked for by somebody who has signed out since.
      if (id === null || !key.startsWith(`${id} `) || JSON.stringify(data).length > limits.chars) return
      await attempt(async () => (await database()).put('answers', { key, at: now(), data }))
      await attempt(trim)
    },
    async all() {
      const id = signIn()
      if (id === null) return []
      const rows = (await attempt(async () => (await database()).getAll('answers'))) ?? []
      return rows
        .flatMap(({ key, at, data }): readonly KeptCall[] => {
          if (!key.startsWith(`${id} `)) return []
          const [method = '', url = ''] = key.slice(id.length + 1).split(' ')
          return [{ method, url, at, data }]
        })
        .sort((a, b) => b.at - a.at)
    },
    clear: async () => void (await attempt(async () => (await database()).clear('answers'))),
  }
}

async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task()
  } catch {
    return undefined
  }
}
