import { createBudget, spending } from '../../runtime/core/budget.ts'
import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, listOf, ownValue, sameJson } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { moduleAttributeFault } from './attribute-fault.ts'
import { MAX_FIELDS, MODULE_ATTRIBUTES, MODULE_NEEDS, RESERVED } from './attributes.ts'
import { fieldProblems, numberProblems, repeatProblems, ruleProblems } from './check-field.ts'
import { cycleOf, defaultRule } from './computed-values.ts'
import type { Field, ModuleDescription } from './description.ts'
import { externalNameProblems, type ModuleNames } from './external-names.ts'
import { labelText } from './labels.ts'
import { possibleTabs } from './list-tabs.ts'
import {
  escaped,
  hintOf,
  isEveryObjects,
  type ModuleProblem,
  moduleProblem,
  unknownKey,
  valueProblems,
} from './module-problem.ts'
import { namedFields } from './named-fields.ts'
import { ownBehaviourProblems } from './own-behaviours.ts'
import { ownRule } from './own-rule.ts'
import { recordNameProblems } from './record-names.ts'

export type CheckedModule =
  | { readonly ok: true; readonly module: ModuleDescription }
  | { readonly ok: false; readonly problems: readonly ModuleProblem[] }

/**
 * Reads a module description. Every fault at once, each with its place and a way on; never throws.
 * @param known  what it may name; a kind of name that is not given here is not judged
 */
export function checkModule(given: unknown, known: ModuleNames = {}): CheckedModule {
  if (!isObject(given))
    return {
      ok: false,
      problems: [
        moduleProblem(
          'MODULE_INVALID',
          '',
          phrase('a module is an object'),
          phrase('begin with {begin}', { begin: '{ "name": …' }),
        ),
      ],
    }
  const tooMany = tooManyProblems(given)
  if (tooMany.length > 0) return { ok: false, problems: tooMany }
  // Defaults are tried on patterns of their author.
  const problems = spending(createBudget(), () => [
    ...keyProblems(given),
    ...numberProblems(given.number, '/number'),
    ...fieldListProblems(given, known.kept),
    ...cycleProblems(Array.isArray(given.fields) ? given.fields : []),
    ...(given.store === 'record'
      ? [...ownBehaviourProblems(given), ...recordNameProblems(given, undefined)]
      : []),
    ...linkProblems(given),
    ...externalNameProblems(given, known),
  ])
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, module: given as unknown as ModuleDescription }
}

/** More fields than a module may have; nothing else is read of them then. */
export function tooManyProblems({ fields }: JsonObject): readonly ModuleProblem[] {
  if (!Array.isArray(fields) || fields.length <= MAX_FIELDS) return []
  return valueProblems(moduleAttributeFault('fields', fields), '/fields', hintOf(MODULE_ATTRIBUTES, 'fields'))
}

/**
 * Values that rules make of each other, in a ring, told by their labels: there is nothing to begin with.
 * @param called  how rules call a field of the list
 */
export function cycleProblems(
  fields: readonly Json[],
  called: (name: string) => string = (name) => name,
): readonly ModuleProblem[] {
  const described = fields.filter((field) => isObject(field) && typeof field.name === 'string')
  const fieldNames = new Set(described.map((one) => String((one as JsonObject).name)))
  const isRenamed = called('') !== ''
  const worked = (described as unknown as readonly Field[]).flatMap((field) => {
    const rule = [field.formula, field.worked].find(isObject) ?? defaultRule(field)
    if (rule === undefined) return []
    return [{ name: called(field.name), rule: isRenamed ? ownRule(rule, fieldNames) : rule }]
  })
  const ring = cycleOf(worked)
  if (ring === null) return []
  const i = fields.findIndex((field) => isObject(field) && called(String(field.name)) === ring[0])
  const labels = new Map(
    (described as unknown as readonly Field[]).map(({ name, label }) => [
      called(name),
      typeof label === 'string' || isObject(label) ? labelText(label) : '',
    ]),
  )
  const words = ring.map((name) => labels.get(name) || name)
  const message = phrase('rules in a ring: {ring}', { ring: words.join(' → ') })
  const hint = phrase('let one of them be written by people')
  return [moduleProblem('VALUE_INVALID', `/fields/${i}`, message, hint)]
}

/** Keys of the module itself. */
function keyProblems(given: JsonObject): readonly ModuleProblem[] {
  const attributes = Object.keys(MODULE_ATTRIBUTES)
  const keys = Object.keys(given).filter((key) => key !== '$schema')
  return [
    ...keys.flatMap((key) =>
      Object.hasOwn(MODULE_ATTRIBUTES, key)
        ? valueProblems(
            moduleAttributeFault(key as keyof ModuleDescription, given[key] ?? null),
            `/${escaped(key)}`,
            hintOf(MODULE_ATTRIBUTES, key),
          )
        : [unknownKey(key, attributes, `/${escaped(key)}`, phrase('a module'))],
    ),
    ...(typeof given.name === 'string' && isEveryObjects(given.name)
      ? [
          moduleProblem(
            'NAME_RESERVED',
            '/name',
            phrase('every object has "{name}" already', { name: given.name }),
            phrase('choose another name'),
          ),
        ]
      : []),
    ...MODULE_NEEDS.filter((key) => given[key] === undefined).map((key) =>
      moduleProblem(
        'KEY_MISSING',
        '',
        phrase('the module has no {key}', { key }),
        phrase('it needs {keys}', { keys: MODULE_NEEDS.join(', ') }),
      ),
    ),
  ]
}

function fieldListProblems(
  { fields }: JsonObject,
  previousNames?: ReadonlySet<string>,
): readonly ModuleProblem[] {
  if (!Array.isArray(fields)) return []
  return [
    ...fields.flatMap((field, i) => [
      ...fieldProblems(field as Json, `/fields/${i}`),
      ...reservedProblems(field as Json, `/fields/${i}`, previousNames),
    ]),
    ...repeatProblems(fields),
  ]
}

/** A field that is called as something every record has. @param previousNames  names that were there before and stay */
export function reservedProblems(
  field: Json,
  at: string,
  previousNames: ReadonlySet<string> = new Set(),
): readonly ModuleProblem[] {
  const name = isObject(field) && typeof field.name === 'string' ? field.name : ''
  if (!RESERVED.has(name) || previousNames.has(name)) return []
  const message = phrase('every record has "{name}" already', { name })
  return [moduleProblem('NAME_RESERVED', `${at}/name`, message, phrase('choose another name'))]
}

/** Names of fields, and what is said of those they name. */
function linkProblems(given: JsonObject): readonly ModuleProblem[] {
  const fields = (Array.isArray(given.fields) ? given.fields : []).filter(isObject)
  const names = fields.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const checkName = (name: string, at: string): readonly ModuleProblem[] => {
    if (names.includes(name)) return []
    const sentence = phrase('the module has no field "{name}"', { name })
    return [moduleProblem('FIELD_UNKNOWN', at, sentence, nameHint(name, names))]
  }
  return [
    ...namedFields(given).flatMap(({ as, name, at }) => (as === 'sort' ? [] : checkName(name, at))),
    ...moveProblems(given.statuses, fields),
    ...tabProblems(given, fields),
    ...untilProblems(given.until, fields),
    ...beyondProblems(given.approval),
  ]
}

/** Quick tabs of a derived list; a page of its own says its tabs itself. */
function tabProblems(
  { tabs, behaviours, statuses, pages }: JsonObject,
  fields: readonly JsonObject[],
): readonly ModuleProblem[] {
  if (!Array.isArray(tabs) || (isObject(pages) && pages.list !== undefined)) return []
  const status = isObject(statuses) ? String(statuses.field) : ''
  const options = fields
    .filter(({ name }) => name === status)
    .flatMap((field) => listOf(field.options ?? null))
  const possible = possibleTabs({
    can: (behaviour) => listOf(behaviours ?? null).includes(behaviour),
    statuses: options.filter(isObject).map(({ value }) => String(value)),
  }).map(({ name }) => name)
  return tabs.flatMap((name, i) => {
    if (typeof name !== 'string' || possible.includes(name)) return []
    const sentence = phrase('the list has no tab "{name}"', { name })
    return [moduleProblem('VALUE_INVALID', `/tabs/${i}`, sentence, nameHint(name, possible))]
  })
}

function untilProblems(name: Json | undefined, fields: readonly JsonObject[]): readonly ModuleProblem[] {
  const field = name === undefined ? undefined : fields.find((one) => one.name === name)
  if (field === undefined || field.kind === 'day') return []
  const message = phrase('"{name}" is no day', { name: String(name) })
  return [moduleProblem('VALUE_INVALID', '/until', message, phrase('name a field of the kind day'))]
}

function beyondProblems(approval: Json | undefined): readonly ModuleProblem[] {
  const beyond = ownValue(approval, 'beyond')
  return isObject(beyond) ? ruleProblems(beyond, '/approval/beyond') : []
}

/** Moves between statuses that are no options of the field. */
function moveProblems(statuses: Json | undefined, fields: readonly JsonObject[]): readonly ModuleProblem[] {
  if (!isObject(statuses)) return []
  const field = fields.find(({ name }) => sameJson(name, statuses.field))
  const options = Array.isArray(field?.options)
    ? field.options.filter(isObject).map(({ value }) => String(value))
    : null
  if (options === null || !isObject(statuses.moves)) return []
  return Object.entries(statuses.moves).flatMap(([from, to]) =>
    [from, ...(Array.isArray(to) ? to.map(String) : [])]
      .filter((value) => !options.includes(value))
      .map((value) =>
        moduleProblem(
          'STATUS_UNKNOWN',
          `/statuses/moves/${escaped(from)}`,
          phrase('"{value}" is no option of the field', { value }),
          nameHint(value, options),
        ),
      ),
  )
}
