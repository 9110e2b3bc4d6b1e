import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { nameHint, nearestName } from '../page/nearest-type.ts'
import type { PageNode } from '../page/page.ts'
import type { PageCheck } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'
import { isNamedRule, NAMED_RULES } from '../rules/named-rules.ts'
import {
  ENTRY_KEYS,
  ENTRY_TYPES,
  ITEM_KEYS,
  LAYOUTS,
  METHODS,
  PAGING_KEYS,
  TOAST_ICONS,
  URL_TYPES,
} from './known-words.ts'
import type { At } from './names.ts'

/**
 * Unknown words below the first level: in entries of sources, rows and choices of widgets, names of validations and icons. A misspelt one is silently
 * ignored at run time; a word that resembles no known one is accepted, because some reader may know it. Only for our pages.
 */
export const checkShapes: PageCheck = (page, placing) => {
  if (!placing.ours) return []
  const { dataSources, layoutType } = page.config
  const sources: readonly unknown[] = Array.isArray(dataSources) ? dataSources : []
  return [
    ...oneOf(layoutType, LAYOUTS, '/formConfig/layoutType'),
    ...sources.flatMap((source, i) =>
      isObject(source) ? sourceFaults(source, (below) => `/formConfig/dataSources/${i}${below}`) : [],
    ),
    ...[...page.nodes.values()].flatMap((node) =>
      widgetFaults(node, (below) => placing.at(node, `/options${below}`)),
    ),
  ]
}

function sourceFaults(source: JsonObject, at: At): readonly Problem[] {
  const { requestURL, requestMethod, requestURLType, paging } = source
  const lists = ['params', 'data', 'headers'].flatMap((list) => {
    const entries = source[list]
    return (Array.isArray(entries) ? entries : []).flatMap((entry, i) =>
      isObject(entry) ? entryFaults(entry, (below) => at(`/${list}/${i}${below}`)) : [],
    )
  })
  const nowhere = typeof requestURL !== 'string' || requestURL === ''
  return [
    ...(nowhere ? [invalid(at(''), phrase('a data source has no requestURL'))] : []),
    ...oneOf(word(requestMethod), METHODS, at('/requestMethod')),
    ...oneOf(requestURLType, URL_TYPES, at('/requestURLType')),
    ...(isObject(paging) ? slips(paging, PAGING_KEYS, (below) => at(`/paging${below}`)) : []),
    ...lists,
  ]
}

const word = (method: Json | undefined): Json | undefined =>
  typeof method === 'string' ? method.toLowerCase() : method

const entryFaults = (entry: JsonObject, at: At): readonly Problem[] => [
  ...slips(entry, ENTRY_KEYS, at),
  ...oneOf(entry.type, ENTRY_TYPES, at('/type')),
]

function widgetFaults({ type, widget }: PageNode, at: At): readonly Problem[] {
  const { options = {} } = widget
  const { validation, customRule, on } = options
  const items = Object.entries(options).flatMap(([list, entries]) => {
    const known = ITEM_KEYS[`${type}.${list}`] ?? ITEM_KEYS[list]
    if (known === undefined || !Array.isArray(entries)) return []
    return entries.flatMap((entry, i) =>
      isObject(entry) ? slips(entry, known, (below) => at(`${joinPointer('', list)}/${i}${below}`)) : [],
    )
  })
  return [
    ...items,
    ...validationFaults(validation, at('/validation')),
    ...validationFaults(customRule, at('/customRule')),
    ...iconFaults(on, (b) => at(`/on${b}`)),
  ]
}

/** A single word is the name of a validation: as a pattern it would match only itself. */
function validationFaults(validation: Json | undefined, at: string): readonly Problem[] {
  if (typeof validation !== 'string' || !/^[A-Za-z]+$/.test(validation) || isNamedRule(validation)) return []
  const known = Object.keys(NAMED_RULES)
  const subject = phrase('named validations')
  return [
    problem('WORD_UNKNOWN', at, { what: subject, name: validation }, 'error', nameHint(validation, known)),
  ]
}

/** The icons of toasts, in nested lists of actions too. */
function iconFaults(value: Json | undefined, at: At): readonly Problem[] {
  if (typeof value !== 'object' || value === null) return []
  if (isObject(value) && value.do === 'toast' && value.icon !== undefined)
    return oneOf(value.icon, TOAST_ICONS, at('/icon'))
  return Object.entries(value).flatMap(([key, item]) =>
    iconFaults(item, (below) => at(joinPointer('', key) + below)),
  )
}

/** Keys that resemble a known one. */
const slips = (object: JsonObject, known: readonly string[], at: At): readonly Problem[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name) && nearestName(name, known) !== null)
    .map((name) => {
      const subject = phrase('keys of an entry')
      return problem(
        'WORD_UNKNOWN',
        at(joinPointer('', name)),
        { what: subject, name },
        'error',
        nameHint(name, known),
      )
    })

function oneOf(value: Json | undefined, known: readonly string[], at: string): readonly Problem[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string' && (known.includes(value) || value.includes('{{'))) return []
  const name = at.slice(at.lastIndexOf('/') + 1)
  const reason = phrase('is one of {values}', { values: known.join(', ') })
  const hint =
    typeof value === 'string' && nearestName(value, known) !== null ? nameHint(value, known) : undefined
  return [invalid(at, phrase('"{name}" {reason}', { name, reason }), hint)]
}

const invalid = (at: string, reason: Phrase, hint?: Phrase): Problem =>
  problem('OPTION_INVALID', at, { reason }, 'error', hint)
