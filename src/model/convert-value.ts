import { isObject, type Json } from '../../runtime/core/json.ts'
import type { Field, KindName } from './description.ts'
import { type Codes, INVALID, plainText, type Words } from './kind.ts'
import { kindOf } from './kinds/index.ts'
import { isEmpty, readField } from './read-record.ts'

/** Words behind the codes of what a field was, and codes behind words for what it becomes. */
export interface Meanings {
  readonly words: Words
  readonly codes: Codes
}

/** Kinds whose values people write as words, and that read words: any of them may become any other, as far as its values fit. */
const WRITTEN: readonly KindName[] = [
  'text',
  'long-text',
  'texts',
  'phone',
  'email',
  'url',
  'number',
  'integer',
  'money',
  'percent',
  'day',
  'moment',
  'choice',
  'choices',
  'flag',
  'region',
]
const TEXTS: readonly KindName[] = ['text', 'long-text']

/** Kinds that are no words, and what their values may become. */
const OTHERS: Readonly<Partial<Record<KindName, readonly KindName[]>>> = {
  'auto-number': TEXTS,
  location: TEXTS,
  lines: ['long-text'],
  pictures: ['files'],
  user: ['users'],
  users: ['user'],
  ref: ['refs'],
  refs: ['ref'],
}

/** What values of a kind may become, whether or not each of them fits. */
export const targetKinds = (kind: KindName): readonly KindName[] =>
  OTHERS[kind] ?? (WRITTEN.includes(kind) ? WRITTEN.filter((one) => one !== kind) : [])

/** True when values of the one field may be read as values of the other. */
export const isConvertible = (was: Field, is: Field): boolean =>
  targetKinds(was.kind).includes(is.kind) && (was.module === undefined || was.module === is.module)

/** A value of one field as the other one holds it; INVALID when it says nothing there. An empty one stays empty. */
export function convertValue(value: Json, was: Field, is: Field, meanings: Meanings): Json | typeof INVALID {
  if (isEmpty(value)) return kindOf(is.kind).several ? [] : null
  const read = readField(parsed(value, was, is, meanings), is)
  return read !== INVALID && isEmpty(read) ? INVALID : read
}

function parsed(value: Json, was: Field, is: Field, { words, codes }: Meanings): Json {
  const { several = false } = kindOf(is.kind)
  if (was.kind === 'pictures') return value
  if (OTHERS[was.kind] !== undefined && !TEXTS.includes(is.kind))
    return several ? listOf(value) : onlyOf(value)
  const labels = wordsOf(value, was, words)
  if (isChoice(is)) {
    const found = choicesOf(labels, was, is, codes)
    return several ? found : onlyOf(found)
  }
  if (is.kind === 'texts' && kindOf(was.kind).several) return labels
  return kindOf(is.kind).parse(labels.join('、'), is, codes)
}

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])
/** The one thing of a list; a list of several is none. */
const onlyOf = (value: Json): Json =>
  Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value
const isChoice = ({ kind }: Field): boolean => kind === 'choice' || kind === 'choices'

/** The value in words, one for each of several. A moment says its seconds. */
function wordsOf(value: Json, field: Field, words: Words): readonly string[] {
  const { write, several } = kindOf(field.kind)
  if (field.kind === 'moment') return [plainText(value)]
  const isList = several === true && field.kind !== 'region' && field.kind !== 'lines'
  return isList && Array.isArray(value)
    ? value.map((one) => write([one], field, words))
    : [write(value, field, words)]
}

/** Values that are offered under these words; a word that nobody offers is refused as itself, which no code is. */
function choicesOf(labels: readonly string[], was: Field, is: Field, codes: Codes): readonly string[] {
  const isOne = kindOf(was.kind).several === true || is.kind === 'choice'
  return labels.flatMap((word) => {
    const code = codes.codeOf(is, word)
    if (code !== undefined) return [code]
    const parts = isOne ? [word] : kindOf('texts').parse(word, is, codes)
    return listOf(parts).map((one) => codes.codeOf(is, String(one)) ?? UNKNOWN)
  })
}

/** No option's value. */
const UNKNOWN = '\0'

/** A value in one line, as the preview of a change says it. */
export const previewText = (value: Json, field: Field, words: Words): string =>
  wordsOf(value, field, words).join('、') || (isObject(value) ? JSON.stringify(value) : plainText(value))
