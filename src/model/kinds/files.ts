import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  type Kind,
  type KindFault,
  namedPlace,
  OPERATORS,
  plainText,
} from '../kind.ts'

const MAX_FILES = 9
/** Only files of our own server: a stored address is shown to colleagues. Two slashes would begin another server's name. */
export const FILE_URL = /^\/(?!\/)[\w./?=&%:-]{1,500}$/

/** Uploaded files as `{ id?, name, url, size, ext }`; other keys are left out. */
function readFiles(raw: Json, maximum: number): readonly JsonObject[] | typeof INVALID {
  if (!Array.isArray(raw) || raw.length > maximum) return INVALID
  const files = raw.map((it) => {
    if (!isObject(it) || typeof it.url !== 'string' || !FILE_URL.test(it.url)) return null
    return {
      ...(typeof it.id === 'string' ? { id: it.id.slice(0, 64) } : {}),
      name: plainText(it.name ?? null).slice(0, 200),
      url: it.url,
      size: Number(it.size) || 0,
      ext: plainText(it.ext ?? null).slice(0, 20),
    }
  })
  return files.every((file) => file !== null) ? files : INVALID
}

const FILE_FAULT: KindFault = { code: 'record.foreign-file' }

/** Endings that a field of files offers: what people send each other about a record. Pictures have the endings of their widget. */
const FILE_TYPES = 'pdf doc docx xls xlsx ppt pptx txt csv zip jpg jpeg png mp3 mp4'.split(' ')

const fileKind = (name: 'files' | 'pictures', widget: string): Kind => ({
  name,
  filledBy: 'upload',
  attributes: ['most'],
  stored: 'json',
  index: null,
  several: true,
  read: (raw, field) => readFiles(raw, field.most ?? MAX_FILES),
  fault(field: Field, raw = null) {
    const most = field.most ?? MAX_FILES
    if (Array.isArray(raw)) return raw.length > most ? { code: 'record.most', places: { most } } : FILE_FAULT
    return FORMAT_FAULT
  },
  widget: (field) => ({
    type: widget,
    options: {
      uploadURL: '/engine/web/file/upload',
      limit: field.most ?? MAX_FILES,
      ...(name === 'files' ? { fileTypes: FILE_TYPES } : {}),
    },
  }),
  place: namedPlace,
  long: true,
  face: null,
  operators: OPERATORS.none,
  write: (value) =>
    Array.isArray(value)
      ? value.map((it) => (isObject(it) ? plainText(it.name ?? null) : '')).join('、')
      : '',
  parse: (cell) => cell,
})

export const files = fileKind('files', 'file-upload')
export const pictures = fileKind('pictures', 'picture-upload')
