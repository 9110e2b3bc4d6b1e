import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import { isObject, type Json, ownValue } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'
import { nameHint, nearestName } from '../page/nearest-type.ts'
import type { PageNode } from '../page/page.ts'
import type { PageCheck } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'
import type { OptionSpec, WidgetSpec } from '../page/widget-spec.ts'
import { COMMON_OPTIONS } from '../widgets/option-sets.ts'
import {
  FORM_KEYS,
  MODEL_OPTIONS,
  OLDER_OPTIONS,
  PAGE_EVENTS,
  PAGE_KEYS,
  SOURCE_KEYS,
  WIDGET_KEYS,
} from './known-words.ts'

/**
 * Unknown words of a document, and invalid values of options: a misspelt option has no effect and causes no error at run time. Used where authors
 * submit pages (publishing, `check:pages`, the workbench), not for opening a page. In a plain VForm document, which contains much that is not meant
 * for us, only probable misspellings are reported, as advice.
 */
export const checkWords: PageCheck = (page, placing) => {
  const severity = placing.ours ? 'error' : 'warning'
  const unknown = (at: string, subject: Phrase, name: string, known: readonly string[]): Problem[] =>
    nearestName(name, known) === null && !placing.ours
      ? []
      : [problem('WORD_UNKNOWN', at, { what: subject, name }, severity, nameHint(name, known))]
  const keysIn = (object: unknown, pointer: string, subject: Phrase, known: readonly string[]): Problem[] =>
    isObject(object)
      ? Object.keys(object)
          .filter((name) => !known.includes(name) && !isComment(name) && !isCodeKey(name))
          .flatMap((name) => unknown(joinPointer(pointer, name), subject, name, known))
      : []

  function optionsOf(node: PageNode): Problem[] {
    const { specs, known } = knownBy(node.spec)
    return Object.entries(node.widget.options ?? {}).flatMap(([name, value]) => {
      const spec = specs.get(name)
      if (spec === undefined && (known.has(name) || isComment(name))) return []
      const reason = spec === undefined ? null : faultOf(spec, value)
      if (spec !== undefined && reason === null) return []
      const at = placing.at(node, joinPointer('/options', name))
      return reason === null
        ? unknown(at, phrase('options of {type}', { type: node.type }), name, [...known])
        : [
            problem(
              'OPTION_INVALID',
              at,
              { reason: phrase('"{name}" {reason}', { name, reason }) },
              severity,
              nearWord(spec, value),
            ),
          ]
    })
  }
  function eventsOf(node: PageNode): Problem[] {
    const on = ownValue(node.widget.options, 'on')
    if (!isObject(on)) return []
    const known = node.spec.events
    return Object.keys(on)
      .filter((event) => !known.includes(event))
      .flatMap((event) =>
        unknown(
          placing.at(node, joinPointer('/options/on', event)),
          phrase('events of {type}', { type: node.type }),
          event,
          known,
        ),
      )
  }

  const { config, settings } = page
  const sources: readonly unknown[] = Array.isArray(config.dataSources) ? config.dataSources : []
  return [
    ...[...page.nodes.values()].flatMap((node) =>
      node.type === 'unsupported' ? [] : [...widgetKeys(node), ...optionsOf(node), ...eventsOf(node)],
    ),
    ...keysIn(config, '/formConfig', phrase('keys of formConfig'), FORM_KEYS),
    ...keysIn(settings, '/formConfig/page', phrase('keys of a page'), PAGE_KEYS),
    ...keysIn(settings.on, '/formConfig/page/on', phrase('events of a page'), PAGE_EVENTS),
    ...sources.flatMap((source, i) =>
      keysIn(source, `/formConfig/dataSources/${i}`, phrase('keys of a data source'), SOURCE_KEYS),
    ),
  ]

  function widgetKeys(node: PageNode): Problem[] {
    return Object.keys(node.widget)
      .filter((name) => !WIDGET_KEYS.includes(name) && !isComment(name))
      .flatMap((name) =>
        unknown(placing.at(node, joinPointer('', name)), phrase('keys of a widget'), name, WIDGET_KEYS),
      )
  }
}

interface Known {
  readonly specs: ReadonlyMap<string, OptionSpec>
  /** Every allowed option name. */
  readonly known: ReadonlySet<string>
}

/** A page has several hundred widgets of a few types. */
const KNOWN = new WeakMap<WidgetSpec, Known>()

function knownBy(spec: WidgetSpec): Known {
  const cached = KNOWN.get(spec)
  if (cached !== undefined) return cached
  const { options } = spec
  const older = Object.entries(OLDER_OPTIONS[spec.type] ?? {}).map(([name, now]) => [name, options[now]])
  const specs = new Map<string, OptionSpec>(
    Object.entries({ ...COMMON_OPTIONS, ...options, ...Object.fromEntries(older) }),
  )
  const hooks = spec.events.map((event) => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`)
  const entry = { specs, known: new Set([...specs.keys(), ...hooks, ...MODEL_OPTIONS]) }
  KNOWN.set(spec, entry)
  return entry
}

/** `$comment`, `$schema`: for human readers of the file. */
const isComment = (name: string): boolean => name.startsWith('$')

/** The word of an enumeration that was probably meant. */
function nearWord(spec: OptionSpec | undefined, value: Json | undefined): Phrase | undefined {
  const words = (spec?.enum ?? []).filter((one) => typeof one === 'string')
  return typeof value === 'string' && nearestName(value, words) !== null ? nameHint(value, words) : undefined
}

/** Why a value is invalid for an option; null if it is valid. A text with placeholders may become anything. */
function faultOf(
  { type, enum: words, default: initial }: OptionSpec,
  value: Json | undefined,
): Phrase | null {
  if (value === null || value === undefined || value === '' || value === initial) return null
  if (typeof value === 'string' && value.includes('{{')) return null
  if (words !== undefined && !words.includes(value))
    return phrase('is one of {values}', { values: words.map((word) => JSON.stringify(word)).join(', ') })
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : phrase('is true or false')
    case 'number':
      return Number.isFinite(Number(value)) && typeof value !== 'boolean' && typeof value !== 'object'
        ? null
        : phrase('is a number')
    case 'array':
      return Array.isArray(value) ? null : phrase('is a list')
    case 'object':
      return isObject(value) ? null : phrase('is an object')
    case 'rule':
      return typeof value === 'string' ? phrase('is a rule, not a text') : null
    case 'code':
    case 'text':
      return typeof value === 'object' ? phrase('is a text') : null
    default:
      return null
  }
}
