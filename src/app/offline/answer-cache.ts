import type { Json } from '../../../runtime/core/json.ts'
import type { HttpRequest } from '../../../runtime/core/ports.ts'
import type { CachedCall } from './cached-choices.ts'
import type { CachedAnswer, OfflineDatabase } from './offline-database.ts'

/** Cached answers for times without network. */
export interface AnswerCache {
  /** The key of an answer; null while nobody is signed in: nothing is cached. */
  keyOf(request: HttpRequest): string | null
  read(key: string): Promise<CachedAnswer | undefined>
  write(key: string, data: Json): Promise<void>
  /** All answers of this sign-in, the newest first. */
  all(): Promise<readonly CachedCall[]>
  /** Another user or tenant has signed in: the cached data of the previous one is deleted. */
  clear(): Promise<void>
}

export interface AnswerCacheOptions {
  readonly database: OfflineDatabase
  /** Identifies the sign-in: one user in one tenant, from login to logout. */
  readonly signIn: () => string | null
  readonly now: () => number
  /** Maximum number of answers (the oldest are dropped first) and maximum length of one (JSON characters). */
  readonly limits: { readonly count: number; readonly chars: number }
}

/** If the device cannot store, nothing is cached, without a message: these are only copies. */
export function createAnswerCache({ database, signIn, now, limits }: AnswerCacheOptions): AnswerCache {
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
      // The user who asked for this answer may have signed out since.
      if (id === null || !key.startsWith(`${id} `) || JSON.stringify(data).length > limits.chars) return
      await attempt(async () => (await database()).put('answers', { key, at: now(), data }))
      await attempt(trim)
    },
    async all() {
      const id = signIn()
      if (id === null) return []
      const rows = (await attempt(async () => (await database()).getAll('answers'))) ?? []
      return rows
        .flatMap(({ key, at, data }): readonly CachedCall[] => {
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
