import { effectsOf } from '../edit/code-effects.ts'
import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import type { DataSource, Page, PageNode } from '../page/page.ts'
import { joinPointer } from '../page/pointer.ts'

/** Advice for pages that open and work but could be better; the names are stable. */
export const ADVICE = {
  'required-hidden': 'the field is required and always hidden: nobody can fill it in',
  'empty-missing': 'nothing is said when there are no rows: an empty area looks like a failure',
  'choice-empty': 'there is nothing to choose: no items, no dictionary, no data source',
  'label-missing': 'the field has neither a label nor a placeholder: nobody knows what it is for',
  'label-twice': 'two fields that stand together are both called "{label}"',
  'tab-hidden': 'the tab is always hidden: what stands on it cannot be reached',
  'source-twice': 'the source asks for the same as "{other}"',
  'source-unused': 'nothing reads or asks the source "{source}"',
  'field-dead': 'what is filled in goes nowhere: nothing sends the form, and nothing reads this field',
  'source-eager': 'the source asks again at each letter typed into "{field}"',
  'asks-each-letter': 'the code asks "{sources}" at each letter that is typed',
} as const

type AdviceName = keyof typeof ADVICE

/** A piece of advice, with a change that follows it if a single value does. */
export interface Advice {
  readonly name: AdviceName
  /** JSON pointer into the page as drawn. */
  readonly at: string
  /** Values of the placeholders in the text. */
  readonly words: Readonly<Record<string, string>>
  readonly fix: AdviceFix | null
}

export type AdviceFix =
  /** A new value for an option of the widget; without `value` the option is removed. */
  | { readonly do: 'option'; readonly option: string; readonly value?: Json }
  /** A text that the author should write; a common sentence is used until then. */
  | { readonly do: 'say'; readonly option: string }
  | { readonly do: 'remove-source'; readonly source: string }
  | { readonly do: 'source'; readonly source: string; readonly key: string; readonly value: Json }
  | { readonly do: 'remove' }

/** Advice on a page that opens, in document order, as far as it can be found without drawing. */
export function advise(page: Page): readonly Advice[] {
  const nodes = [...page.nodes.values()]
  return [
    ...nodes.flatMap((node) => adviseWidget(node)),
    ...adviseLabels(nodes),
    ...adviseDead(page),
    ...adviseSources(page),
    ...adviseTyping(page),
  ]
}

const adviceOf = (
  name: AdviceName,
  at: string,
  fix: AdviceFix | null,
  words: Readonly<Record<string, string>> = {},
): Advice => ({ name, at, words, fix })

/** Lists that show nothing if their source has no rows; lists bound to a part of a record are excluded, because that may be empty. */
const ROWS = new Set(['list', 'data-table', 'board', 'timeline'])

function adviseWidget(node: PageNode): Advice[] {
  const { pointer, type } = node
  const found: Advice[] = []
  const option = (name: string): Json | undefined => node.option(name)
  if (node.field && option('required') === true && option('hidden') === true)
    found.push(adviceOf('required-hidden', pointer, { do: 'option', option: 'required' }))
  if (
    ROWS.has(type) &&
    !isBlank(option('dsName')) &&
    isBlank(option('empty')) &&
    isObject(node.spec.options.empty)
  )
    found.push(adviceOf('empty-missing', pointer, { do: 'say', option: 'empty' }))
  if (node.field && option('hidden') !== true) {
    const isNamed = ['label', 'placeholder', 'title', 'startPlaceholder'].some(
      (name) => !isBlank(option(name)),
    )
    if (!isNamed) found.push(adviceOf('label-missing', pointer, { do: 'say', option: 'label' }))
    if (hasNoChoice(node)) found.push(adviceOf('choice-empty', pointer, null))
  }
  if (type === 'tab-pane' && option('hidden') === true && isBlank(option('visibleOn')))
    found.push(adviceOf('tab-hidden', pointer, { do: 'option', option: 'hidden' }))
  return found
}

/** The origin of the items of a choice. */
const ITEMS = [
  'optionItems',
  'dict',
  'dsName',
  'dataSetName',
  'optionsDict',
  'bind',
  'itemsBind',
  'remote',
  'allowCreate',
] as const

function hasNoChoice(node: PageNode): boolean {
  if (node.spec.hasItems !== true || node.type === 'data-picker') return false
  return (
    ITEMS.every((name) => isBlank(node.option(name)) || node.option(name) === false) &&
    !hasCodeIn(node.options)
  )
}

/** Code may supply what is missing in the document. */
const hasCodeIn = (options: JsonObject): boolean =>
  Object.entries(options).some(
    ([key, value]) => key.startsWith('on') && typeof value === 'string' && value !== '',
  )

const isBlank = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Visible fields of the same name, unless a rule shows only one of them at a time. */
function adviseLabels(nodes: readonly PageNode[]): Advice[] {
  const seen = new Set<string>()
  const found: Advice[] = []
  for (const node of nodes) {
    const label = node.option('label')
    if (!node.field || typeof label !== 'string' || label.trim() === '' || label.includes('{{')) continue
    if (node.option('hidden') === true || !isBlank(node.option('visibleOn'))) continue
    const key = `${node.parent ?? ''} ${label.trim()}`
    if (seen.has(key)) found.push(adviceOf('label-twice', node.pointer, null, { label: label.trim() }))
    seen.add(key)
  }
  return found
}

function adviseSources(page: Page): Advice[] {
  const sources = [...page.dataSources.values()]
  const written = ownValue(page.document.formConfig, 'dataSources')
  const list: readonly Json[] = Array.isArray(written) ? written : []
  const pageWords = wordsIn({ ...page.document, formConfig: { ...page.config, dataSources: null } })
  return sources.flatMap((source, i) => {
    const { uniqueName } = source
    const at = joinPointer(
      '/formConfig/dataSources',
      list.findIndex((one) => ownValue(one, 'uniqueName') === uniqueName),
    )
    const other = sources.slice(0, i).find((one) => one.auto !== undefined && sameRequest(one, source))
    if (other !== undefined && source.auto !== undefined)
      return [adviceOf('source-twice', at, null, { other: other.uniqueName })]
    const inOthers = sources.some((one) => one !== source && wordsIn(one).has(uniqueName))
    if (source.auto !== undefined || pageWords.has(uniqueName) || inOthers) return []
    return [
      adviceOf('source-unused', at, { do: 'remove-source', source: uniqueName }, { source: uniqueName }),
    ]
  })
}

const SAME = [
  'requestURL',
  'requestMethod',
  'params',
  'data',
  'body',
  'headers',
  'configHandlerCode',
] as const

const sameRequest = (one: DataSource, other: DataSource): boolean =>
  SAME.every((key) => sameJson(one[key] ?? null, other[key] ?? null))

/** Every word and every complete text in a value, including rules and code; a `save` uses the sources with its names. */
function wordsIn(value: Json): ReadonlySet<string> {
  const text = JSON.stringify(value)
  const strings = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, content = '']) => content)
  const saves = text.includes('"do":"save"') ? ['create', 'update'] : []
  return new Set([...(text.match(/[\w$-]+/g) ?? []), ...strings, ...saves])
}

/** Actions that send, check or store the form as a whole. */
const WHOLE: ReadonlySet<Json | undefined> = new Set(['submit', 'save', 'validate', 'emit'])

/** Fields whose value is not used. Code may read any field, for a plain document the host does, and a page without sources is not finished yet. */
function adviseDead(page: Page): Advice[] {
  if (page.hasCode || page.config.page === undefined || page.dataSources.size === 0 || takesForm(page))
    return []
  const config = wordsIn(page.config)
  const words = new Map([...page.nodes.values()].map((node) => [node, wordsIn(node.widget.options)] as const))
  return [...page.nodes.values()].flatMap((node) => {
    const { name, pointer, field, subForm, template } = node
    const isShown = ['readonly', 'readMode', 'disabled'].some((one) => node.option(one) === true)
    // A file is uploaded as soon as it is chosen.
    if (node.type.endsWith('upload')) return []
    if (!field || name === '' || subForm !== null || template !== null || isShown) return []
    if (['bind', 'valueOn', 'on'].some((one) => !isBlank(node.option(one))) || config.has(name)) return []
    const isRead = [...words].some(([other, terms]) => other !== node && terms.has(name))
    return isRead ? [] : [adviceOf('field-dead', pointer, { do: 'remove' })]
  })
}

const takesForm = ({ config, nodes }: Page): boolean =>
  takesAll(config) || [...nodes.values()].some(({ widget }) => takesAll(widget.options))

/** An action that uses the form, or a read of the form without one of its fields. */
function takesAll(value: Json | undefined): boolean {
  if (typeof value === 'string') return /(?:^|[^\w.])form(?:[^\w.]|$)/.test(value)
  if (Array.isArray(value)) return value.some((one: Json) => takesAll(one))
  if (!isObject(value ?? null)) return false
  const { do: act, ...rest } = value as JsonObject
  return WHOLE.has(act) || Object.values(rest).some((one) => takesAll(one))
}

/** Widgets whose value changes with each letter. */
const TYPED = new Set(['input', 'textarea', 'number'])
const RESTS_MS = 300

/** Sources that are requested at each letter: on a phone the answers arrive late and all at once. */
function adviseTyping(page: Page): Advice[] {
  const typed = [...page.nodes.values()].filter(({ type, name }) => TYPED.has(type) && name !== '')
  const written = ownValue(page.document.formConfig, 'dataSources')
  const list: readonly Json[] = Array.isArray(written) ? written : []
  const eager = [...page.dataSources.values()].flatMap((source) => {
    const { uniqueName, auto, debounceMs = 0 } = source
    if (auto === undefined || auto === false || debounceMs > 0) return []
    const json = JSON.stringify(source)
    const field = typed.find(({ name }) =>
      new RegExp(`\\bform\\.${name.replace(/\W/g, '\\$&')}\\b`).test(json),
    )
    const at = joinPointer(
      '/formConfig/dataSources',
      list.findIndex((one) => ownValue(one, 'uniqueName') === uniqueName),
    )
    const words = { field: labelOf(field), source: uniqueName }
    const fix: AdviceFix = { do: 'source', source: uniqueName, key: 'debounceMs', value: RESTS_MS }
    return field === undefined ? [] : [adviceOf('source-eager', at, fix, words)]
  })
  const asking = (at: string, code: JsonObject): Advice[] => {
    const { asks } = effectsOf(code)
    return asks.length === 0 ? [] : [adviceOf('asks-each-letter', at, null, { sources: asks.join('、') })]
  }
  const ofCode = typed.flatMap(({ pointer, widget: { options } }) =>
    asking(pointer, { onInput: options.onInput ?? null, input: ownValue(options.on, 'input') ?? null }),
  )
  const { onFormDataChange = null } = page.config
  return [...eager, ...ofCode, ...asking('/formConfig/onFormDataChange', { onFormDataChange })]
}

const labelOf = (node: PageNode | undefined): string => {
  const label = node?.option('label')
  return typeof label === 'string' && label !== '' ? label : (node?.name ?? '')
}
