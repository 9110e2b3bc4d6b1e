import { type IDBPDatabase, openDB } from 'idb'

/** Timeout for opening; after it the browser counts as unable to store, until the database does open. */
const OPEN_MS = 3_000

export interface DatabasePlan<T> {
  readonly name: string
  readonly version: number
  /** Creates the tables of a new database. */
  readonly create: (database: IDBPDatabase<T>) => void
}

/**
 * A database of the device, opened at its first use. Rejects if the device cannot store: private mode, a full disk, another tab with an older version
 * open. A failed or closed database is opened again at the next use.
 *
 * @param open  default: the browser's own
 */
export function openDatabase<T>(
  { name, version, create }: DatabasePlan<T>,
  open: typeof openDB<T> = openDB,
): () => Promise<IDBPDatabase<T>> {
  let opening: Promise<IDBPDatabase<T>> | undefined
  const forget = () => {
    opening = undefined
  }

  function start(): Promise<IDBPDatabase<T>> {
    const opened = open(name, version, {
      upgrade: create,
      blocking(_current, _next, event) {
        // Another tab has a newer version: this tab closes its connection so as not to block it, and keeps new values in memory.
        if (event.target instanceof IDBDatabase) event.target.close()
        forget()
      },
      terminated: forget,
    })
    opened.catch(forget)
    return inTime(opened)
  }
  return () => {
    opening ??= start()
    return opening
  }

  /** Rejects after a timeout; if the database opens later, it is used from then on. */
  async function inTime(opened: Promise<IDBPDatabase<T>>): Promise<IDBPDatabase<T>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} does not open`)), OPEN_MS)
    })
    try {
      return await Promise.race([opened, timeout])
    } catch (cause) {
      void opened.then((database) => {
        opening = Promise.resolve(database)
      }, forget)
      throw cause
    } finally {
      clearTimeout(timer)
    }
  }
}
