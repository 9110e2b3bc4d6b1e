import type { Clock } from '../core/ports.ts'
import type { Cloud } from './cloud.ts'
import { MAX_FILES, TEMP_URL_SECONDS } from './limits.ts'

/** Time before its end from which on an address is not returned any more, since the caller still has to fetch it. */
const MARGIN_MS = 60_000

/** Prefix of a storage's own file ids; the space follows. */
const STORED = 'cloud://'

/** Current addresses of files in the cloud's storage, valid for some minutes. */
export interface TempAddresses {
  /** The cached address; undefined if there is none or it is about to expire. */
  known(fileID: string): string | undefined
  /** Requests the address if it is not cached. Null: the storage does not know the file, or could not be reached. */
  find(fileID: string): Promise<string | null>
  /** Another user has signed in: clears the cache. */
  clear(): void
}

interface Parts {
  readonly cloud: Cloud
  /** Names of the configured spaces; the first one is used for ids without a space. */
  readonly spaceIds: readonly string[]
  readonly clock: Clock
}

type Tell = (address: string | null) => void

/** Ids requested together are sent in one call, and a running request is shared. */
export function createTempAddresses({ cloud, spaceIds, clock }: Parts): TempAddresses {
  let cached = new Map<string, { readonly url: string; readonly until: number }>()
  let running = new Map<string, Promise<string | null>>()
  let waiting = new Map<string, Tell>()

  function known(fileID: string): string | undefined {
    const entry = cached.get(fileID)
    return entry !== undefined && entry.until > clock.now() ? entry.url : undefined
  }

  /** Some storages add the bucket to the space's name: `cloud://space.bucket/a.png`. */
  function ownerOf(fileID: string): Cloud {
    const host = fileID.slice(STORED.length).split('/')[0] ?? ''
    const owner = spaceIds.find((id) => host === id || host.startsWith(`${id}.`))
    return owner === undefined ? cloud : cloud.space(owner)
  }

  async function fetchAddresses(
    owner: Cloud,
    fileList: readonly string[],
    waiters: ReadonlyMap<string, Tell>,
  ) {
    const until = clock.now() + TEMP_URL_SECONDS * 1000 - MARGIN_MS
    const into = cached
    const answer = await owner.getTempFileURL({ fileList }).catch(() => ({ fileList: [] }))
    const urls = new Map(answer.fileList.map((file) => [file.fileID, file.tempFileURL]))
    for (const id of fileList) {
      const url = urls.get(id) ?? ''
      if (url !== '') into.set(id, { url, until })
      waiters.get(id)?.(url === '' ? null : url)
    }
  }

  function askAll(): void {
    const waiters = waiting
    waiting = new Map()
    const bySpace = new Map<Cloud, string[]>()
    for (const id of waiters.keys()) {
      const owner = ownerOf(id)
      bySpace.set(owner, [...(bySpace.get(owner) ?? []), id])
    }
    for (const [owner, ids] of bySpace)
      for (let from = 0; from < ids.length; from += MAX_FILES)
        void fetchAddresses(owner, ids.slice(from, from + MAX_FILES), waiters)
  }

  return {
    known,
    find(fileID) {
      const cachedUrl = known(fileID)
      if (cachedUrl !== undefined) return Promise.resolve(cachedUrl)
      const pending = running.get(fileID)
      if (pending) return pending
      const among = running
      const found = new Promise<string | null>((tell) => {
        if (waiting.size === 0) void Promise.resolve().then(askAll)
        waiting.set(fileID, tell)
      }).finally(() => among.delete(fileID))
      running.set(fileID, found)
      return found
    },
    clear() {
      askAll()
      cached = new Map()
      running = new Map()
    },
  }
}
