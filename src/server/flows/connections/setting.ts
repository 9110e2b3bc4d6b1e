import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { CONNECTION_METHODS, CONNECTION_NAME, type ConnectionMethod } from '../../../contract/connection.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { invalid, shortText } from '../admin/input.ts'

/** A header or a query parameter that is added to every call. */
export interface ConnectionPart {
  readonly place: 'header' | 'query'
  readonly name: string
  /** '' for a secret: its value is stored encrypted. */
  readonly value: string
  readonly secret: boolean
}

/** The configuration of a connection, without its secrets. */
export interface ConnectionSetting {
  /** Origin and base path, without a trailing slash. */
  readonly base: string
  readonly methods: readonly ConnectionMethod[]
  /** Paths below the address: `*` is one part, `**` at the end everything below. */
  readonly paths: readonly string[]
  readonly parts: readonly ConnectionPart[]
  /** The encoding of a body. */
  readonly format: 'json' | 'form'
  readonly seconds: number
  readonly kilobytes: number
  readonly perMinute: number
  /** Retries of a read if the network fails or the other side is busy. */
  readonly retries: number
}

/** An administrator's input: the configuration, and new secrets. */
export interface ConnectionForm {
  readonly name: string
  readonly label: string
  readonly setting: ConnectionSetting
  /** By {@link partKey}; missing secrets keep their values. */
  readonly secrets: ReadonlyMap<string, string>
}

export const partKey = ({ place, name }: Pick<ConnectionPart, 'place' | 'name'>): string =>
  `${place}:${place === 'header' ? name.toLowerCase() : name}`

const MAX_PARTS = 20
const MAX_PATHS = 50
const MIN_SECRET = 6
const MAX_VALUE = 4000
/** Bounds of the numbers: minimum, maximum, and default. */
const NUMBERS = {
  seconds: [1, 30, 10],
  kilobytes: [1, 8192, 1024],
  perMinute: [1, 6000, 120],
  retries: [0, 3, 1],
} as const
/** Headers that control the transfer, or that only we may set. */
const OURS =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|keep-alive|expect|accept-encoding|proxy-.*)$/i
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,60}$/
/** Valid content of a header: a line of printable ASCII. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
const PATH = /^(?:\/|(?:\/(?:[\w~.!$&'()+,;=:@%-]+|\*))*(?:\/\*\*)?)$/

/** Refuses with a message at one field. */
export const fault = (name: string, sentence: string): never =>
  refuse(400, 'VALIDATION', sentence, { fields: { [name]: sentence } })

/** Reads an administrator's input. @throws Refusal 400 with a message per field */
export function readConnection(body: JsonObject): ConnectionForm {
  const name = shortText(body.name, 'name', 40, 1)
  if (!CONNECTION_NAME.test(name)) fault('name', text('conn.form.name'))
  const parts = partsOf(body.parts)
  const setting: ConnectionSetting = {
    base: baseOf(shortText(body.base, 'base', 300, 1)),
    methods: methodsOf(body.methods),
    paths: pathsOf(body.paths),
    parts: parts.map((part) => (part.secret ? { ...part, value: '' } : part)),
    format: body.format === 'form' ? 'form' : 'json',
    seconds: numberOf(body.seconds, 'seconds'),
    kilobytes: numberOf(body.kilobytes, 'kilobytes'),
    perMinute: numberOf(body.perMinute, 'perMinute'),
    retries: numberOf(body.retries, 'retries'),
  }
  const secrets = parts.filter(({ secret, value }) => secret && value !== '')
  return {
    name,
    label: shortText(body.label, 'label', 60, 1),
    setting,
    secrets: new Map(secrets.map((part) => [partKey(part), part.value])),
  }
}

function baseOf(given: string): string {
  const wrong = (): never => fault('base', text('conn.form.base'))
  if (!URL.canParse(given)) return wrong()
  const url = new URL(given)
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.search !== '' || url.hash !== '') return wrong()
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function methodsOf(given: Json | undefined): readonly ConnectionMethod[] {
  const wanted: readonly Json[] = Array.isArray(given)
    ? given
    : given === undefined
      ? ['GET']
      : invalid('methods')
  const methods = CONNECTION_METHODS.filter((method) => wanted.includes(method))
  if (methods.length === 0 || methods.length !== new Set(wanted).size)
    fault('methods', text('conn.form.methods'))
  return methods
}

function pathsOf(given: Json | undefined): readonly string[] {
  const lines = (typeof given === 'string' ? given : given === undefined ? '' : invalid('paths'))
    .split(/\s+/)
    .filter((line) => line !== '')
  const wrong = lines.find((line) => !PATH.test(line) || line.length > 200)
  if (wrong !== undefined || lines.length === 0 || lines.length > MAX_PATHS)
    fault('paths', text('conn.form.paths'))
  return [...new Set(lines)]
}

function partsOf(given: Json | undefined): readonly ConnectionPart[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || given.length > MAX_PARTS) return invalid('parts')
  const parts = given.map((row): ConnectionPart => {
    if (!isObject(row)) return invalid('parts')
    const place = row.place === 'query' ? 'query' : 'header'
    const name = shortText(row.name, 'name', 60, 1)
    const value = shortText(row.value, 'value', MAX_VALUE)
    const isWrong =
      place === 'header' && (!HEADER_NAME.test(name) || OURS.test(name) || !HEADER_VALUE.test(value))
    if (isWrong) fault('parts', text('conn.form.part', { name }))
    const secret = row.secret === true
    if (secret && value !== '' && value.length < MIN_SECRET)
      fault('parts', text('conn.form.short', { name, least: MIN_SECRET }))
    return { place, name, value, secret }
  })
  if (new Set(parts.map(partKey)).size !== parts.length) fault('parts', text('conn.form.twice'))
  return parts
}

function numberOf(given: Json | undefined, name: keyof typeof NUMBERS): number {
  const [least, most, usual] = NUMBERS[name]
  if (given === undefined || given === null || given === '') return usual
  if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most) return given
  return fault(name, text('conn.form.number', { least, most }))
}
