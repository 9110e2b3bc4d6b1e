import { isObject, type Json, type JsonObject } from '../json.ts'
import type { FileHandle, Text, ToastOptions } from '../ports.ts'

/** The result for a selection: the accepted files, the replaced files of the field, and the message for the user. */
export interface Selection {
  readonly files: readonly FileHandle[]
  /** The field holds one file: the previous one is removed. */
  readonly replaces: boolean
  readonly toast: ToastOptions | null
}

interface Request {
  readonly type: string
  readonly options: JsonObject
  /** Files in the field and in transfer. */
  readonly count: number
  readonly files: readonly FileHandle[]
  readonly text: Text
}

const MEGABYTE = 1_048_576
const DEFAULT_LIMIT = 3
const DEFAULT_SIZE = 5
/** Maximum files of the picker, whatever its limit option. */
const PICKER_CAP = 9
/** Duration of the message about files of another format. */
const WRONG_FORMAT_MS = 5000

/** Checks selected files: the two upload widgets accept all or nothing, the file picker accepts what fits. */
export function selectFiles(request: Request): Selection {
  return request.type === 'file-picker' ? pickerSelection(request) : checkedSelection(request)
}

/** Maximum files of the field: for the picker at most 9, and 1 if it returns an object or has no limit. */
export function fileLimit(type: string, options: JsonObject): number {
  const limit = numberIn(options.limit)
  if (type !== 'file-picker') return limit ?? DEFAULT_LIMIT
  if (options.returnType === 'object' || limit === null || limit < 1) return 1
  return Math.min(limit, PICKER_CAP)
}

/** A number, also if written as text. */
function numberIn(value: Json | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Accepted extensions, with a dot and in lower case; empty: any file. A list or a text with commas. */
export function endingsOf(types: Json | undefined): readonly string[] {
  const list = typeof types === 'string' ? types.split(',') : Array.isArray(types) ? types : []
  return (list as readonly Json[])
    .map((type) => String(type).trim().replace(/^\./, '').toLowerCase())
    .filter((type) => type !== '')
    .map((type) => `.${type}`)
}

/** Count → type → size; the first failing check rejects the whole selection with one message. */
function checkedSelection({ type, options, count, files, text }: Request): Selection {
  const limit = fileLimit(type, options)
  const endings = endingsOf(options.fileTypes)
  const maxSize = numberIn(options.fileMaxSize) ?? 0
  const size = maxSize > 0 ? maxSize : DEFAULT_SIZE
  if (count + files.length > limit) return refused(text('upload.tooMany', { limit }))
  if (files.some((file) => !isAccepted(file, endings))) return refused(text('upload.wrongType'))
  if (files.some((file) => file.size > size * MEGABYTE)) return refused(text('upload.tooLarge', { size }))
  return { files, replaces: false, toast: null }
}

/** Files of another format are skipped with a message; the rest is accepted in order until the list is full. */
function pickerSelection({ type, options, count, files, text }: Request): Selection {
  const limit = fileLimit(type, options)
  const replaces = options.returnType === 'object' || (limit === 1 && options.disablePreview === true)
  if (!replaces && count >= limit) return refused(text('upload.atLimit', { limit }))
  const endings = endingsOf(options.fileExtname)
  const right = files.filter((file) => isAccepted(file, endings))
  const wrong = files.length - right.length
  return {
    files: right.slice(0, replaces ? limit : limit - count),
    replaces: replaces && right.length > 0,
    toast:
      wrong === 0
        ? null
        : { text: text('upload.wrongFormat', { count: files.length, wrong }), durationMs: WRONG_FORMAT_MS },
  }
}

const refused = (text: string): Selection => ({ files: [], replaces: false, toast: { text } })

const isAccepted = (file: FileHandle, endings: readonly string[]): boolean =>
  endings.length === 0 || endings.some((ending) => file.name.toLowerCase().endsWith(ending))

/**
 * The stored value of a finished upload: the script's answer with name and url, else the server's, else the files of a list, else the record under
 * `data`, else the answer unchanged.
 */
export function storedRecords(
  scripted: Json,
  body: JsonObject | readonly Json[],
  name: string,
): readonly JsonObject[] {
  for (const answer of [scripted, body]) if (isRecord(answer)) return [answer]
  if (!isObject(body)) return body.filter(isObject)
  const record = isObject(body.data) && isAddress(body.data.url) ? body.data : body
  return [{ name, ...record }]
}

const isAddress = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

const isRecord = (value: Json): value is JsonObject =>
  isObject(value) && isAddress(value.name) && isAddress(value.url)
