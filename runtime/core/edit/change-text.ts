import { isObject, type Json, ownValue } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'
import { type Effects, effectsOf, newEffects } from './code-effects.ts'
import type { PageChange } from './diff-pages.ts'

/** The texts for describing changes. */
export interface ChangeTexts {
  /** A sentence by its code, with its placeholders replaced. */
  readonly say: (code: string, places?: Readonly<Record<string, string>>) => string
  /** The label of an option of a widget or of the page; '' if it has none. */
  readonly option: (name: string) => string
  /** The label of a field of the page, by its name. */
  readonly called: (name: string) => string
}

/** Maximum length of a value that is shown in a sentence. */
const MAX_LENGTH = 60

/** A change as text: the difference, and what code may do now that it could not before. */
export function changeText(change: PageChange, texts: ChangeTexts): string {
  const { kind, id, title, what, from, to } = change
  const { say } = texts
  const name = title === '' ? say('page') : title
  const isSource = id.startsWith('source:') || what === 'source'
  if (kind === 'moved' && title === '') return say('source-order')
  if (kind !== 'changed') {
    const address = isSource && kind === 'added' ? addressOf(ownValue(to as Json, 'requestURL'), texts) : ''
    const sentence = say(`${isSource ? 'source-' : ''}${kind}`, { name })
    return joined(
      [sentence, address, ...(kind === 'added' ? effectTexts(effectsOf(to), name, texts) : [])],
      texts,
    )
  }
  const of = isSource ? say('source', { name }) : name
  const key = what.split('.').at(-1) ?? ''
  if (isCodeKey(key) || key === 'on') {
    const more = newEffects(effectsOf(from, key), effectsOf(to, key))
    const sentence = say(key === 'on' ? 'actions' : 'code', { name: of, what: codeLabel(key, texts) })
    return joined([sentence, ...effectTexts(more, name, texts, 'now-')], texts)
  }
  if (key === 'required' && isFlag(from) && isFlag(to))
    return say('requiredness', {
      name: of,
      was: say(from === true ? 'required' : 'optional'),
      is: say(to === true ? 'required' : 'optional'),
    })
  const label = optionLabel(what, texts)
  const [was, is] = [valueText(from, texts), valueText(to, texts)]
  const sentence =
    was === null || is === null
      ? say('changed', { name: of, what: label })
      : say('value', { name: of, what: label, was, is })
  const isElsewhere = key === 'requestURL' && hostOf(from) !== hostOf(to)
  return joined([sentence, isElsewhere ? addressOf(to as Json, texts) : ''], texts)
}

/** The label of an option in a sentence; its name if it has none. */
export function optionLabel(path: string, { option }: Pick<ChangeTexts, 'option'>): string {
  const shortened = path.replace(/^options\.|^(?:formConfig\.)?page\./, '')
  return option(shortened) || option(shortened.split('.').at(-1) ?? '') || shortened
}

function codeLabel(key: string, { option, say }: ChangeTexts): string {
  const word = option(key)
  return word === '' || word === key ? key : say('hook', { word, name: key })
}

/** A value in a sentence; null if it does not fit. */
function valueText(value: unknown, { say }: ChangeTexts): string | null {
  if (value === undefined || value === null || value === '') return say('nothing')
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  return say('quoted', { value })
}

const isFlag = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'boolean'

function effectTexts(
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

/** The target of a source as text: the product itself, a connection, or another host. */
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
  parts.filter((part) => part !== '').join(say('comma'))

/** The labels of a page's fields, by name; fields of modules only have their names. */
export function labelsIn(document: Json): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) walk(item)
    if (!isObject(value ?? null)) return
    const { name, label } = (ownValue(value, 'options') ?? {}) as Record<string, Json | undefined>
    if (typeof name === 'string' && typeof label === 'string' && label !== '' && !labels.has(name))
      labels.set(name, label)
    for (const item of Object.values(value as object)) walk(item as Json)
  }
  walk(ownValue(document, 'widgetList'))
  return labels
}
