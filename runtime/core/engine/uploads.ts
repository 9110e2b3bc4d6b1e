import { refusalOf, unwrapEnvelope } from '../data/envelope.ts'
import { serverMessage, withMessage } from '../data/failure-words.ts'
import { evaluateVariable } from '../data/variables.ts'
import type { Engine } from '../engine.ts'
import { failure } from '../errors.ts'
import { isObject, type Json, type JsonObject, listOf, sameJson } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { FileHandle, HttpResponse, Outcome, Ports, Text } from '../ports.ts'
import type { FieldActs } from './field-acts.ts'
import type { ScriptLink } from './script-link.ts'
import { selectFiles, storedRecords } from './upload-checks.ts'
import { createUploadEntries, type Entry } from './upload-entries.ts'
import { asJson, createUploadHooks } from './upload-hooks.ts'

export interface UploadParts {
  readonly model: Model
  readonly link: ScriptLink
  readonly fields: FieldActs
  readonly ports: Ports
  /** The current variables of the host. */
  readonly variables: () => JsonObject
  /** Runs the widget's `on` actions of that event; its hook is run here, with VForm's own parameters. */
  readonly announce: (key: NodeKey, event: string, detail: Json) => void
}

/** The address of a field, and the message for it. */
export type FieldMessage = readonly [address: string, message: string]

export interface Uploads {
  add(key: NodeKey, files: readonly FileHandle[]): Promise<void>
  /** Sends a file again, or waits for it if it is on its way. */
  retry(key: NodeKey, id: string): Promise<void>
  /** Removes a file from the field: an unfinished one by its id, a finished one by its url or its value. */
  remove(key: NodeKey, which: string | JsonObject): void
  /** Sends again what has failed, and waits for all. @returns the fields with files that did not arrive, and what to say there */
  settled(): Promise<readonly FieldMessage[]>
  /** Aborts all running and failed transfers; finished files stay in the values. */
  abandon(): void
}

/** Destination of files without an address of their own. */
const STORE = '/engine/web/file/upload'
/** The only status that means success; any other is a failed upload. */
const STORED = 200

/** The uploads of an open page. */
export const uploadsOf = (engine: Pick<Engine, 'uploads'>): Uploads => engine.uploads(createUploads)

function createUploads({ model, link, fields, ports, variables, announce }: UploadParts): Uploads {
  const entries = createUploadEntries(model, link)
  const hooks = createUploadHooks(model, link)
  const onTheirWay = new Map<string, Promise<void>>()
  const finished = (key: NodeKey): readonly Json[] => listOf(model.value(key))
  const resume = createTransfers({ model, fields, ports, variables, announce }, entries, hooks)

  return {
    async add(key, picked) {
      const { node, options, disabled, readonly } = model.node(key)
      if (disabled || readonly) return
      const count = finished(key).length + entries.of(key).length
      const selection = selectFiles({ type: node.type, options, count, files: picked, text: ports.text })
      if (selection.toast !== null) ports.feedback.toast(selection.toast)
      if (selection.files.length === 0) return
      if (selection.replaces) {
        for (const entry of entries.of(key)) entries.drop(key, entry.id)
        if (finished(key).length > 0) fields.change(key, [])
      }
      const at = finished(key).length
      const added = selection.files.map((file): Entry => {
        const id = ports.random.uuid()
        entries.keepFile(id, file)
        return { id, name: file.name, size: file.size, status: 'ready', progress: 0, at }
      })
      entries.put(key, [...entries.of(key), ...added])
      if (options.autoUpload === false) return
      await Promise.all(added.map(({ id }) => this.retry(key, id)))
    },
    async retry(key, id) {
      const file = entries.file(id)
      if (!file || onTheirWay.has(id)) return onTheirWay.get(id)
      entries.update(key, id, { status: 'uploading', progress: 0 })
      const arrived = resume(key, id, file).finally(() => onTheirWay.delete(id))
      onTheirWay.set(id, arrived)
      await arrived
    },
    remove(key, which) {
      if (typeof which === 'string' && entries.has(key, which)) {
        entries.drop(key, which)
        return void fields.check(key)
      }
      const before = finished(key)
      const deletedIndex = before.findIndex((file) =>
        typeof which === 'string' ? isObject(file) && file.url === which : sameJson(file, which),
      )
      const file = before[deletedIndex]
      if (file === undefined) return
      const fileList = before.filter((_, i) => i !== deletedIndex)
      const left = entries.of(key).map((one) => ({ ...one, at: one.at - Number(one.at > deletedIndex) }))
      entries.put(key, left)
      fields.change(key, fileList)
      hooks.fire(key, 'onFileRemove', [file, fileList])
      announce(key, 'fileRemove', { file, fileList, deletedIndex })
    },
    async settled() {
      if (entries.keys().length === 0) return []
      const done = ports.feedback.loading(ports.text('upload.loading'))
      await Promise.allSettled(
        entries.keys().flatMap((key) => entries.of(key).map(({ id }) => this.retry(key, id))),
      )
      done()
      return entries
        .keys()
        .filter(model.shown)
        .map((key) => [model.address(key), ports.text('upload.unsent', { n: entries.of(key).length })])
    },
    abandon: entries.abandonAll,
  }
}

/** Sends files, and stores or reports what becomes of each. */
function createTransfers(
  { model, fields, ports, variables, announce }: Omit<UploadParts, 'link'>,
  entries: ReturnType<typeof createUploadEntries>,
  hooks: ReturnType<typeof createUploadHooks>,
) {
  const finished = (key: NodeKey): readonly Json[] => listOf(model.value(key))
  /** Ids of the files that `onBeforeUpload` has passed. */
  const passed = new Set<string>()
  function target(key: NodeKey): string {
    const url = model.node(key).options.uploadURL
    if (typeof url !== 'string' || url === '') return STORE
    return /DSV[.[]/.test(url)
      ? String(evaluateVariable(url, { scope: model.scope(), dsv: variables() }) ?? '')
      : url
  }
  async function send(key: NodeKey, id: string): Promise<void> {
    const file = entries.file(id)
    if (!file) return
    const { options } = model.node(key)
    const answer = await ports.http.upload({
      url: target(key),
      file,
      headers: textEntries(options.uploadHeaders),
      data: textEntries(options.uploadData),
      withCredentials: options.withCredentials === true,
      signal: entries.beginTransfer(id),
      onProgress: (percent) =>
        entries.update(key, id, { progress: Math.max(0, Math.min(99, Math.round(percent) - 1)) }),
    })
    if (!entries.has(key, id)) return
    const refused = await accept(key, id, file, answer)
    if (refused) fail(key, id, file, refused)
  }
  /** @returns null, or why the file is not in the field */
  async function accept(
    key: NodeKey,
    id: string,
    file: FileHandle,
    answer: Outcome<HttpResponse>,
  ): Promise<Outcome<HttpResponse> | null> {
    if (!answer.ok || answer.value.status !== STORED || refusalOf(answer.value.data) !== null) return answer
    const body = unwrapEnvelope(answer.value.data)
    if (typeof body !== 'object' || body === null) return answer
    const scripted = await hooks.afterUpload(key, [answer.value.data, asJson(file), finished(key)])
    // The script decides what is stored: a retry asks it.
    if (!scripted.ok && scripted.error.code === 'SCRIPT_UNAVAILABLE') return scripted
    if (!scripted.ok) ports.feedback.toast({ text: ports.text('upload.scriptFailed') })
    const records = storedRecords(scripted.ok ? scripted.value : null, body, file.name)
    const entry = entries.of(key).find((one) => one.id === id)
    if (!entry) return null // removed while the script was running
    entries.forget(key, id, records.length)
    const before = finished(key)
    const fileList = [...before.slice(0, entry.at), ...records, ...before.slice(entry.at)]
    fields.change(key, fileList)
    announce(key, 'uploadSuccess', { fileModel: records[0] ?? null, fileList })
    return null
  }
  function fail(key: NodeKey, id: string, file: FileHandle, answer: Outcome<HttpResponse>): void {
    entries.update(key, id, { status: 'error', progress: 0 })
    const message = whyNot(answer, ports.text)
    ports.feedback.toast({ text: message })
    const error: JsonObject = { message: answer.ok ? message : answer.error.message }
    hooks.fire(key, 'onUploadError', [error, asJson(file), finished(key)])
    announce(key, 'uploadError', { fileModel: { ...asJson(file), status: 'error' }, fileList: finished(key) })
  }
  /** Continues where it stopped: a file that its script has not passed yet is checked first; a rejected one is removed from the list. */
  return async (key: NodeKey, id: string, file: FileHandle): Promise<void> => {
    if (!passed.has(id)) {
      const checked = await hooks.beforeUpload(key, file)
      if (!entries.has(key, id)) return
      if (!checked.ok) return fail(key, id, file, checked)
      if (checked.value === null) return entries.forget(key, id)
      passed.add(id)
      entries.keepFile(id, checked.value)
    }
    await send(key, id)
  }
}

/** Why a file was not accepted: the message of whoever answered; about the network only if nobody did. */
function whyNot(answer: Outcome<HttpResponse>, text: Text): string {
  const error = answer.ok ? (refusalOf(answer.value.data) ?? failure('ANSWER_INVALID')) : answer.error
  const reason = serverMessage(withMessage(error, text))
  return reason === '' ? text('upload.failed') : text('upload.refused', { reason })
}

function textEntries(value: Json | undefined): Record<string, string> {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text ?? '')]))
    : {}
}
