import type { Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { FileHandle } from '../ports.ts'
import { optionCell } from '../state/cells.ts'
import type { ScriptLink } from './script-link.ts'

/** A file in transfer; it is in the node's `uploads` option until the server has it. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly size: number
  /** `ready`: selected, not sent yet. */
  readonly status: 'ready' | 'uploading' | 'error'
  /** 0–99 during transfer. */
  readonly progress: number
  /** How many finished files of the field were chosen before it. */
  readonly at: number
}

/** The files of a page that are in transfer or have failed, with their contents and how to abort each. */
export interface UploadEntries {
  of(key: NodeKey): readonly Entry[]
  /** The fields that have such files. */
  keys(): readonly NodeKey[]
  has(key: NodeKey, id: string): boolean
  put(key: NodeKey, entries: readonly Entry[]): void
  /** Ignores a file that was removed meanwhile. */
  update(key: NodeKey, id: string, part: Partial<Entry>): void
  /** @param stored  the number of files stored for it */
  forget(key: NodeKey, id: string, stored?: number): void
  file(id: string): FileHandle | undefined
  keepFile(id: string, file: FileHandle): void
  /** Starts a transfer. @returns the signal that aborts it */
  beginTransfer(id: string): Abort
  /** Aborts its transfer and forgets it. */
  drop(key: NodeKey, id: string): void
  abandonAll(): void
}

export function createUploadEntries(model: Model, link: ScriptLink): UploadEntries {
  const files = new Map<string, FileHandle>()
  const aborts = new Map<string, Abort>()
  const of = (key: NodeKey): readonly Entry[] =>
    (model.read(optionCell(key, 'uploads')) as unknown as Entry[] | undefined) ?? []
  const has = (key: NodeKey, id: string): boolean => of(key).some((entry) => entry.id === id)
  const setEntries = (key: NodeKey, entries: readonly Entry[]): void =>
    link.commit([{ cell: optionCell(key, 'uploads'), value: entries as unknown as Json }])
  const keys = (): readonly NodeKey[] => model.fieldKeys().filter((key) => of(key).length > 0)
  function forget(key: NodeKey, id: string, stored = 0): void {
    files.delete(id)
    aborts.delete(id)
    let later = 0
    const left = of(key).flatMap((entry) => {
      if (entry.id !== id) return [{ ...entry, at: entry.at + later }]
      later = stored
      return []
    })
    setEntries(key, left)
  }

  return {
    of,
    keys,
    has,
    put: setEntries,
    update(key, id, part) {
      if (!has(key, id)) return
      const updated = of(key).map((entry) => (entry.id === id ? { ...entry, ...part } : entry))
      setEntries(key, updated)
    },
    forget,
    file: (id) => files.get(id),
    keepFile: (id, file) => void files.set(id, file),
    beginTransfer(id) {
      const abort = createAbort()
      aborts.set(id, abort)
      return abort
    },
    drop(key, id) {
      aborts.get(id)?.abort()
      forget(key, id)
    },
    abandonAll() {
      for (const abort of aborts.values()) abort.abort()
      files.clear()
      aborts.clear()
      for (const key of keys()) setEntries(key, [])
    },
  }
}

interface Abort {
  aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  abort(): void
}

function createAbort(): Abort {
  const listeners: (() => void)[] = []
  return {
    aborted: false,
    addEventListener: (_type, listener) => void listeners.push(listener),
    abort() {
      this.aborted = true
      for (const listener of listeners) listener()
    },
  }
}
