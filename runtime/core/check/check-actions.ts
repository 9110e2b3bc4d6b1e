import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import { ACTIONS, type ActionValue } from '../page/actions.ts'
import { joinPointer } from '../page/pointer.ts'
import { checkTexts } from './check-texts.ts'
import { type At, checkRuleAt, type Names } from './names.ts'

/** Messages with which authors are told which name was probably meant (`near-names.ts`). */
export const NO_ACTION = phrase('there is no action "{name}"; known: {known}')
export const NO_KEY = phrase('"{name}" has no key "{key}"')
export const NO_FIELD = phrase('there is no field "{name}"')
export const NO_SHEET = phrase('there is no sheet "{name}"')

const MAX_DEPTH = 16

/** An `on` object: event → list of actions. */
export function checkEvents(events: unknown, at: At, names: Names): Problem[] {
  if (!isObject(events)) return [invalid(at(''), phrase('"on" is an object: event → list of actions'))]
  return Object.entries(events).flatMap(([event, list]) =>
    checkActions(list, (below) => at(joinPointer('', event) + below), names),
  )
}

/** A list of actions, with the lists inside it. */
function checkActions(list: unknown, at: At, names: Names, depth = 0): Problem[] {
  if (!Array.isArray(list)) return [invalid(at(''), phrase('actions are a list'))]
  if (depth > MAX_DEPTH)
    return [invalid(at(''), phrase('actions are nested more than {most} levels deep', { most: MAX_DEPTH }))]
  return list.flatMap((action: unknown, i) =>
    checkAction(action, (below) => at(`/${i}${below}`), names, depth),
  )
}

function checkAction(action: unknown, at: At, names: Names, depth: number): Problem[] {
  if (!isObject(action)) return [invalid(at(''), phrase('an action is an object with "do"'))]
  const name = typeof action.do === 'string' ? action.do : ''
  const spec = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (spec === undefined) {
    const known = Object.keys(ACTIONS).join(', ')
    const reason = name === '' ? phrase('an action has no "do"') : phrase(NO_ACTION.words, { name, known })
    return [invalid(at(name === '' ? '' : '/do'), reason)]
  }
  const problems: Problem[] = []
  const keys: Readonly<Record<string, ActionValue>> = { if: 'rule', ...spec.keys }
  for (const [key, value] of Object.entries(action)) {
    if (key === 'do' || value === undefined) continue
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined
    const below: At = (rest) => at(joinPointer('', key) + rest)
    if (kind === undefined) problems.push(invalid(below(''), phrase(NO_KEY.words, { name, key })))
    else problems.push(...checkValue(kind, value, below, names, depth))
  }
  for (const key of spec.required) {
    if (action[key] === undefined)
      problems.push(invalid(at(''), phrase('"{name}" needs "{key}"', { name, key })))
  }
  const { oneOf } = spec
  if (oneOf !== undefined && oneOf.filter((key) => action[key] !== undefined).length !== 1) {
    problems.push(
      invalid(at(''), phrase('"{name}" needs exactly one of {keys}', { name, keys: oneOf.join(', ') })),
    )
  }
  return problems.length === 0 ? checkTargets(action, at, names) : problems
}

function checkValue(kind: ActionValue, value: unknown, at: At, names: Names, depth: number): Problem[] {
  switch (kind) {
    case 'rule':
      return checkRuleAt(value, at, names)
    case 'actions':
      return checkActions(value, at, names, depth + 1)
    case 'query':
      return checkQuery(value, at, names)
    case 'choices':
      return checkChoices(value, at, names, depth)
    case 'source':
      return checkSourceName(value, at(''), names)
    case 'number':
    case 'boolean':
      return typeof value === kind
        ? []
        : [
            invalid(
              at(''),
              kind === 'number' ? phrase('this must be a number') : phrase('this must be a boolean'),
            ),
          ]
    case 'object':
      return isObject(value)
        ? checkTexts(value, at, names)
        : [invalid(at(''), phrase('this must be an object'))]
    case 'text':
      return typeof value === 'string'
        ? checkTexts(value, at, names)
        : [invalid(at(''), phrase('this must be a text'))]
    case 'json':
      return isObject(value) && Object.hasOwn(value, 'rule')
        ? checkRuleAt(value.rule, (below) => at(`/rule${below}`), names)
        : checkTexts(value, at, names)
  }
}

function checkChoices(value: unknown, at: At, names: Names, depth: number): Problem[] {
  if (!Array.isArray(value)) return [invalid(at(''), phrase('items are a list of label and then'))]
  return value.flatMap((item: unknown, i) => {
    if (!isObject(item) || typeof item.label !== 'string')
      return [invalid(at(`/${i}`), phrase('an item needs a label'))]
    const texts = checkTexts(item.label, (below) => at(`/${i}/label${below}`), names)
    if (item.then === undefined) return texts
    return [...texts, ...checkActions(item.then, (below) => at(`/${i}/then${below}`), names, depth + 1)]
  })
}

/** Each value is a text, or `{ source }`. */
function checkQuery(value: unknown, at: At, names: Names): Problem[] {
  if (!isObject(value)) return [invalid(at(''), phrase('this must be an object'))]
  return Object.entries(value).flatMap(([name, part]) => {
    const below: At = (rest) => at(joinPointer('', name) + rest)
    if (isObject(part)) return checkSourceName(part.source, below('/source'), names)
    return typeof part === 'string'
      ? checkTexts(part, below, names)
      : [invalid(below(''), phrase('a value is a text or { "source": name }'))]
  })
}

function checkSourceName(value: unknown, at: string, names: Names): Problem[] {
  if (typeof value !== 'string') return [invalid(at, phrase('this must be the name of a data source'))]
  return names.sources.has(value) ? [] : [problem('DATA_SOURCE_UNKNOWN', at, { name: value })]
}

/** Names of fields and sheets, unless they are computed. */
function checkTargets(action: JsonObject, at: At, names: Names): Problem[] {
  const { do: name, field, name: sheet } = action
  if (name === 'save') return checkSaved(action, at, names)
  if (typeof field === 'string' && !field.includes('{{') && !names.fields.has(field.split('.')[0] ?? '')) {
    return [invalid(at('/field'), phrase(NO_FIELD.words, { name: field }))]
  }
  const opens = name === 'openSheet' || name === 'closeSheet'
  if (opens && typeof sheet === 'string' && !sheet.includes('{{') && !names.sheets.has(sheet)) {
    return [invalid(at('/name'), phrase(NO_SHEET.words, { name: sheet }))]
  }
  return []
}

/** The sources that a save sends to; the one for changes is asked where the page takes the record's id. */
function checkSaved({ dsName, create, update }: JsonObject, at: At, names: Names): Problem[] {
  if (dsName !== undefined) return []
  const sends = [
    ...(create === undefined ? ['create'] : []),
    ...(update === undefined && names.params.has('id') ? ['update'] : []),
  ]
  return sends.flatMap((name) => checkSourceName(name, at(''), names))
}

function invalid(at: string, reason: Phrase): Problem {
  return problem('ACTION_INVALID', at, { reason })
}
