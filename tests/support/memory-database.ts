import { isObject, type Json } from '../../runtime/core/json.ts'
import type { OfflineDatabase } from '../../src/app/offline/offline-database.ts'

/** The operations that fail on the device: all, or writes (a full disk). */
export type Refusal = 'none' | 'all' | 'writes'

/** The device's database in memory: the calls that `src/app/offline` makes, and a device on which they fail. */
export function memoryDatabase() {
  const tables = { answers: new Map<string, Json>(), outbox: new Map<number, Json>() }
  let refusal: Refusal = 'none'
  let lastSeq = 0

  function write<T>(task: () => T): Promise<T> {
    return refusal === 'none'
      ? Promise.resolve(task())
      : Promise.reject(new DOMException('', 'QuotaExceededError'))
  }
  function put(name: keyof typeof tables, row: Json): string | number {
    const given = isObject(row) ? row : {}
    if (name === 'answers') {
      tables.answers.set(String(given.key), copy(row))
      return String(given.key)
    }
    if (typeof given.seq !== 'number') lastSeq += 1
    const seq = typeof given.seq === 'number' ? given.seq : lastSeq
    tables.outbox.set(seq, copy({ ...given, seq }))
    return seq
  }
  const get = async (name: keyof typeof tables, key: never) => copy(tables[name].get(key))
  const database = {
    get,
    getAll: async (name: keyof typeof tables) => [...tables[name].values()].map(copy),
    put: (name: keyof typeof tables, row: Json) => write(() => put(name, row)),
    delete: (name: keyof typeof tables, key: never) => write(() => tables[name].delete(key)),
    clear: (name: keyof typeof tables) => write(() => tables[name].clear()),
    transaction: (name: keyof typeof tables) => ({
      store: {
        get: (key: never) => get(name, key),
        put: (row: Json) => write(() => put(name, row)),
        count: async () => tables[name].size,
        index: () => ({ openCursor: () => oldestFirst(tables.answers) }),
      },
      done: Promise.resolve(),
    }),
  }
  return {
    tables,
    refuse(what: Refusal) {
      refusal = what
    },
    database: (async () => {
      if (refusal === 'all') throw new DOMException('', 'InvalidStateError')
      return database
    }) as unknown as OfflineDatabase,
  }
}

interface Cursor {
  delete(): Promise<void>
  continue(): Promise<Cursor | null>
}

async function oldestFirst(table: Map<string, Json>): Promise<Cursor | null> {
  const at = (row: Json) => (isObject(row) ? Number(row.at) : 0)
  const keys = [...table].sort(([, a], [, b]) => at(a) - at(b)).map(([key]) => key)
  const cursor = (index: number): Cursor | null => {
    const key = keys[index]
    return key === undefined
      ? null
      : {
          delete: async () => void table.delete(key),
          continue: async () => cursor(index + 1),
        }
  }
  return cursor(0)
}

function copy<T extends Json | undefined>(row: T): T {
  return row === undefined ? row : JSON.parse(JSON.stringify(row))
}
