import { unwrapEnvelope } from '../data/execute.ts'
import { evaluateVariable } from '../data/variables.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { FileHandle, Ports } from '../ports.ts'
import { optionCell } from '../state/cells.ts'
import type { FieldActs } from './field-acts.ts'
import type { ScriptLink } from './script-link.ts'

interface Parts {
  readonly model: Model
  readonly link: ScriptLink
  readonly fields: FieldActs
  readonly ports: Ports
  readonly variables: JsonObject
}

/** A file on its way; it stands in the node's `uploads` option until the server has it. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly status: 'uploading' | 'error'
  /** 0–99 while on its way (spec §4). */
  readonly progress: number
}

export interface Uploads {
  add(key: NodeKey, files: readonly FileHandle[]): Promise<void>
  retry(key: NodeKey, id: string): Promise<void>
  /** Takes a file out of the field: an unfinished one by its id, a finished one by its url. */
  remove(key: NodeKey, which: string): void
}

const MEGABYTE = 1_048_576

export function createUploads({ model, link, fields, ports, variables }: Parts): Uploads {
  const handles = new Map<string, FileHandle>()
  const entries = (key: NodeKey): readonly Entry[] =>
    (model.read(optionCell(key, 'uploads')) as unknown as Entry[] | undefined) ?? []
  const finished = (key: NodeKey): readonly Json[] => {
    const value = model.value(key)
    return Array.isArray(value) ? value : []
  }
  const store = (key: NodeKey, list: readonly Entry[]): void =>
    link.commit([{ cell: optionCell(key, 'uploads'), value: list as unknown as Json }])
  const update = (key: NodeKey, id: string, part: Partial<Entry>): void =>
    store(
      key,
      entries(key).map((entry) => (entry.id === id ? { ...entry, ...part } : entry)),
    )

  /** The first check that fails ends the whole selection with one message (spec §5, PLATFORM 0.3). */
  function refusal(key: NodeKey, files: readonly FileHandle[]): string | null {
    const { options } = model.node(key)
    const limit = typeof options.limit === 'number' ? options.limit : 3
    if (finished(key).length + entries(key).length + files.length > limit)
      return ports.text('upload.tooMany', { limit })
    const types = Array.isArray(options.fileTypes)
      ? options.fileTypes.map((t) => `.${String(t).replace(/^\./, '').toLowerCase()}`)
      : []
    if (
      types.length > 0 &&
      files.some((file) => !types.some((type) => file.name.toLowerCase().endsWith(type)))
    )
      return ports.text('upload.wrongType')
    const size = typeof options.fileMaxSize === 'number' && options.fileMaxSize > 0 ? options.fileMaxSize : 5
    return files.some((file) => file.size > size * MEGABYTE) ? ports.text('upload.tooLarge', { size }) : null
  }
  function target(key: NodeKey): string {
    const url = model.node(key).options.uploadURL
    if (typeof url !== 'string' || url === '') return '/engine/web/file/upload'
    return /DSV[.[]/.test(url)
      ? String(evaluateVariable(url, { scope: model.scope(), dsv: variables }) ?? '')
      : url
  }
  async function send(key: NodeKey, id: string): Promise<void> {
    const file = handles.get(id)
    if (!file) return
    const answer = await ports.http.upload({
      url: target(key),
      file,
      onProgress: (percent) =>
        update(key, id, { progress: Math.max(0, Math.min(99, Math.round(percent) - 1)) }),
    })
    const record = answer.ok ? unwrapEnvelope(answer.value.data) : null
    if (!entries(key).some((entry) => entry.id === id)) return
    if (isObject(record) && typeof record.url === 'string') {
      store(
        key,
        entries(key).filter((entry) => entry.id !== id),
      )
      handles.delete(id)
      fields.change(key, [
        ...finished(key),
        { ...record, name: typeof record.name === 'string' ? record.name : file.name },
      ])
    } else {
      update(key, id, { status: 'error' })
      ports.feedback.toast({ text: ports.text('upload.failed') })
    }
  }

  return {
    async add(key, files) {
      const reason = refusal(key, files)
      if (reason !== null) return ports.feedback.toast({ text: reason })
      const added = files.map((file): Entry => {
        const id = ports.random.uuid()
        handles.set(id, file)
        return { id, name: file.name, size: file.size, status: 'uploading', progress: 0 }
      })
      store(key, [...entries(key), ...added])
      await Promise.all(added.map((entry) => send(key, entry.id)))
    },
    async retry(key, id) {
      update(key, id, { status: 'uploading', progress: 0 })
      await send(key, id)
    },
    remove(key, which) {
      if (entries(key).some((entry) => entry.id === which)) {
        handles.delete(which)
        return store(
          key,
          entries(key).filter((entry) => entry.id !== which),
        )
      }
      fields.change(
        key,
        finished(key).filter((file) => !(isObject(file) && file.url === which)),
      )
    },
  }
}
