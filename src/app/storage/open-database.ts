import { type IDBPDatabase, openDB } from 'idb'

/** A browser that has neither opened nor refused by then is taken for one that cannot store, until it does open. */
const OPEN_MS = 3_000

export interface DatabasePlan<T> {
  readonly name: string
  readonly version: number
  /** Makes the tables of a new database. */
  readonly create: (database: IDBPDatabase<T>) => void
}

/**
 * A database of the device, opened at the first use. Rejects where the device cannot store: private mode, a full disk, another tab
 * that keeps an older version open. A refused or ended opening is tried again at the next use.
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
        // Another tab has a newer version: it is not held up, and what this one has to keep stays in memory.
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

  /** Rejects after a timeout; if the database opens later after all, it is used. */
  async function inTime(opened: Promise<IDBPDatabase<T>>): Promise<IDBPDatabase<T>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} does not open`)), OPEN_MS)
    })
    try {
      return await Promise.race([opened, late])
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
