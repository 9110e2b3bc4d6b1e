import { isObject, type Json, ownValue } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'
import { type Effects, effectsOf, newEffects } from './code-effects.ts'
import type { PageChange } from './diff-pages.ts'

/** The words that changes are told in. */
export interface ChangeTexts {
  /** A sentence by its code, with its places filled. */
  readonly say: (code: string, places?: Readonly<Record<string, string>>) => string
  /** What people call an option of a widget or of the page; '' where nobody does. */
  readonly option: (name: string) => string
  /** What a field of the page is called, by its name. */
  readonly called: (name: string) => string
}

/** A value that is longer does not stand in a sentence. */
const LONGEST = 60

/** A change as a person says it: what is different, and what code may do now that it could not before. */
export function changeWords(change: PageChange, texts: ChangeTexts): string {
  const { kind, id, title, what, from, to } = change
  const { say } = texts
  const name = title === '' ? say('page') : title
  const isSource = id.startsWith('source:') || what === 'source'
  if (kind === 'moved' && title === '') return say('source-order')
  if (kind !== 'changed') {
    const where = isSource && kind === 'added' ? addressOf(ownValue(to as Json, 'requestURL'), texts) : ''
    const said = say(`${isSource ? 'source-' : ''}${kind}`, { name })
    return joined([said, where, ...(kind === 'added' ? effectWords(effectsOf(to), name, texts) : [])], texts)
  }
  const of = isSource ? say('source', { name }) : name
  const key = what.split('.').at(-1) ?? ''
  if (isCodeKey(key) || key === 'on') {
    const more = newEffects(effectsOf(from, key), effectsOf(to, key))
    const said = say(key === 'on' ? 'actions' : 'code', { name: of, what: codeWord(key, texts) })
    return joined([said, ...effectWords(more, name, texts, 'now-')], texts)
  }
  if (key === 'required' && isFlag(from) && isFlag(to))
    return say('requiredness', {
      name: of,
      was: say(from === true ? 'required' : 'optional'),
      is: say(to === true ? 'required' : 'optional'),
    })
  const said = optionWord(what, texts)
  const [was, is] = [valueWords(from, texts), valueWords(to, texts)]
  const whole =
    was === null || is === null
      ? say('changed', { name: of, what: said })
      : say('value', { name: of, what: said, was, is })
  const isElsewhere = key === 'requestURL' && hostOf(from) !== hostOf(to)
  return joined([whole, isElsewhere ? addressOf(to as Json, texts) : ''], texts)
}

/** What an option is called in a sentence: its own name where nobody calls it otherwise. */
export function optionWord(what: string, { option }: Pick<ChangeTexts, 'option'>): string {
  const own = what.replace(/^options\.|^(?:formConfig\.)?page\./, '')
  return option(own) || option(own.split('.').at(-1) ?? '') || own
}

function codeWord(key: string, { option, say }: ChangeTexts): string {
  const word = option(key)
  return word === '' || word === key ? key : say('hook', { word, name: key })
}

/** A value in a sentence; null for one that would not fit into it. */
function valueWords(value: unknown, { say }: ChangeTexts): string | null {
  if (value === undefined || value === null || value === '') return say('nothing')
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > LONGEST) return null
  return say('quoted', { value })
}

const isFlag = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'boolean'

function effectWords(
  { writes, asks }: Effects,
  self: string,
  { say, called }: ChangeTexts,
  prefix = '',
): readonly string[] {
  const named = (name: string): string =>
    name === '*' ? say('whole-form') : name === 'this' ? self : called(name)
  const list = (names: readonly string[]): string => names.map(named).join(say('and'))
  return [
    ...(writes.length > 0 ? [say(`${prefix}writes`, { names: list(writes) })] : []),
    ...(asks.length > 0 ? [say(`${prefix}asks`, { names: asks.join(say('and')) })] : []),
  ]
}

/** Where a source asks, in words: what is the product's own, a connection, or another host. */
function addressOf(url: Json | undefined, { say }: ChangeTexts): string {
  if (typeof url !== 'string' || url === '') return ''
  const host = hostOf(url)
  if (host === '') return say('address', { address: url })
  return host.startsWith('conn:') ? say('connection', { name: host.slice(5) }) : say('host', { host })
}

/** '' for the product itself. */
function hostOf(url: unknown): string {
  const text = typeof url === 'string' ? url : ''
  return /^conn:[\w-]+/.exec(text)?.[0] ?? /^https?:\/\/([^/?#]+)/i.exec(text)?.[1] ?? ''
}

const joined = (parts: readonly string[], { say }: ChangeTexts): string =>
  parts.filter((one) => one !== '').join(say('comma'))

/** What the fields of a page are called, by name: those of modules by the name alone. */
export function labelsIn(document: Json): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const one of value as readonly Json[]) walk(one)
    if (!isObject(value ?? null)) return
    const { name, label } = (ownValue(value, 'options') ?? {}) as Record<string, Json | undefined>
    if (typeof name === 'string' && typeof label === 'string' && label !== '' && !labels.has(name))
      labels.set(name, label)
    for (const one of Object.values(value as object)) walk(one as Json)
  }
  walk(ownValue(document, 'widgetList'))
  return labels
}
