import { createBudget, spending } from '../../runtime/core/budget.ts'
import { type Phrase, PROBLEMS, phrase, type Said, spoken } from '../../runtime/core/errors.ts'
import {
  isObject,
  isSafeName,
  type Json,
  type JsonObject,
  ownValue,
  sameJson,
} from '../../runtime/core/json.ts'
import { checkRule } from '../../runtime/core/logic/rule.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { patternFault } from '../../runtime/core/rules/pattern.ts'
import { type AttributeFault, fieldAttributeFault, moduleAttributeFault } from './attribute-fault.ts'
import {
  COMMON_ATTRIBUTES,
  FIELD_ATTRIBUTES,
  MODULE_ATTRIBUTES,
  MODULE_NEEDS,
  NAME,
  RESERVED,
  type Schema,
} from './attributes.ts'
import type { Field, ModuleDescription, Rule } from './description.ts'
import { INVALID } from './kind.ts'
import { isKindName, KIND_NAMES, kindOf } from './kinds/index.ts'
import { LENGTHS } from './kinds/text.ts'
import { isNumberPattern } from './number-pattern.ts'
import { ownRule } from './own-rule.ts'
import { readField } from './read-record.ts'
import { defaultRule, ringOf } from './worked-out.ts'

export type ModuleProblemCode =
  | 'WORD_UNKNOWN'
  | 'MODULE_INVALID'
  | 'KEY_UNKNOWN'
  | 'KEY_MISSING'
  | 'VALUE_INVALID'
  | 'NAME_INVALID'
  | 'NAME_RESERVED'
  | 'NAME_REPEATED'
  | 'KIND_UNKNOWN'
  | 'FIELD_UNKNOWN'
  | 'STATUS_UNKNOWN'

/** A fault of a module description, for its author. `at` is a JSON pointer into what was handed in. */
export interface ModuleProblem {
  readonly code: ModuleProblemCode
  readonly at: string
  readonly message: string
  readonly hint: string
  readonly said: Said
}

/** Names that a description may use. */
export interface ModuleNames {
  readonly dictionaries?: ReadonlySet<string>
  /** Modules of the rights. */
  readonly permissions?: ReadonlySet<string>
  /** Modules that fields may refer to. */
  readonly modules?: ReadonlySet<string>
  /** Addresses that open a page. */
  readonly routes?: ReadonlySet<string>
  /** Fields that were there before their name was reserved: they keep it. */
  readonly kept?: ReadonlySet<string>
}

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
  // Defaults are tried on patterns of their author.
  const problems = spending(createBudget(), () => [
    ...keyProblems(given),
    ...fieldListProblems(given, known.kept),
    ...ringProblems(Array.isArray(given.fields) ? given.fields : []),
    ...linkProblems(given),
    ...outsideProblems(given, known),
  ])
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, module: given as unknown as ModuleDescription }
}

/** The faults of one field, as of one that a tenant adds. @param at  pointer of the field */
export function fieldProblems(field: Json, at: string): readonly ModuleProblem[] {
  if (!isObject(field))
    return [
      moduleProblem(
        'VALUE_INVALID',
        at,
        phrase('a field is an object'),
        phrase('it has a name, a kind and a label'),
      ),
    ]
  const { kind } = field
  if (!isKindName(kind)) {
    const sentence = phrase('no kind of field is called "{name}"', { name: String(kind) })
    return [
      moduleProblem('KIND_UNKNOWN', `${at}/kind`, sentence, nameHint(String(kind), KIND_NAMES)),
      ...nameProblems(field, at),
    ]
  }
  const known = [...COMMON_ATTRIBUTES, ...kindOf(kind).attributes]
  const keys = Object.keys(field).flatMap((key) =>
    known.includes(key as keyof Field)
      ? valueProblems(
          fieldAttributeFault(key as keyof Field, field[key] ?? null),
          `${at}/${escaped(key)}`,
          hintOf(FIELD_ATTRIBUTES, key),
        )
      : [unknownKey(key, known, `${at}/${escaped(key)}`, phrase('a field of kind {kind}', { kind }))],
  )
  const missing = [...(kindOf(kind).needs ?? []), ['label' as const]]
    .filter((ways) => ways.every((key) => field[key] === undefined))
    .map((ways) =>
      moduleProblem(
        'KEY_MISSING',
        at,
        phrase('this field has no {key}', { key: ways.join(' / ') }),
        phrase('a field of kind {kind} needs it', { kind }),
      ),
    )
  const rows = kind === 'lines' && Array.isArray(field.fields) ? field.fields : []
  const nested = rows.flatMap((row, i) => fieldProblems(row as Json, `${at}/fields/${i}`))
  const found = [...nameProblems(field, at), ...keys, ...missing, ...nested]
  return found.length > 0 ? found : meaningProblems(field as unknown as Field, at)
}

/** What only makes sense together: bounds in order, a pattern that can be read, a default the field itself would take. */
function meaningProblems(field: Field, at: string): readonly ModuleProblem[] {
  const found: ModuleProblem[] = []
  const { min, max, pattern, kind, default: usual } = field
  if (min !== undefined && max !== undefined && min > max)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/min`,
        phrase('min {min} is above max {max}', { min, max }),
        phrase('swap them'),
      ),
    )
  const most = kind === 'text' || kind === 'long-text' || kind === 'texts' ? LENGTHS[kind].most : undefined
  if (most !== undefined && max !== undefined && (max > most || max < 1 || !Number.isInteger(max)))
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/max`,
        phrase('max is {max}', { max }),
        phrase('1 to {most} characters', { most }),
      ),
    )
  const fault = pattern === undefined ? null : patternFault(pattern)
  if (fault !== null)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/pattern`,
        phrase('the pattern cannot be read: {fault}', { fault }),
        phrase('a regular expression'),
      ),
    )
  const isRuled = defaultRule(field) !== undefined
  const isPlain = usual !== undefined && usual !== null && !isRuled && usual !== 'now' && usual !== 'me'
  if (isPlain && found.length === 0 && readField(usual, field) === INVALID)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/default`,
        phrase('the field itself would refuse its default'),
        phrase('choose a value it takes'),
      ),
    )
  found.push(...rulesOf(field).flatMap(({ at: key, rule }) => ruleProblems(rule, `${at}/${key}`)))
  if (field.number !== undefined && !isNumberPattern(field.number))
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/number`,
        phrase('"{number}" is no pattern of a number', { number: field.number }),
        phrase('one count of zeros, and perhaps a date: {example}', { example: 'GD{yyyyMMdd}{000}' }),
      ),
    )
  if (field.dict !== undefined && field.options !== undefined)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/options`,
        phrase('it has a dictionary and options'),
        phrase('keep one of them'),
      ),
    )
  const sorts = kindOf(kind).sorts === true
  if (field.sort === true && !sorts)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/sort`,
        phrase('a field of kind {kind} has no order', { kind }),
        phrase('remove {key}', { key: 'sort' }),
      ),
    )
  if ((field.filter === true || field.unique !== undefined) && kindOf(kind).index === null)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        at,
        phrase('a field of kind {kind} is not filtered and not unique', { kind }),
        phrase('remove {key}', { key: 'filter, unique' }),
      ),
    )
  return found
}

/** The rules of a field, each with its place. */
function rulesOf(field: Field): readonly { readonly at: string; readonly rule: Rule }[] {
  const usual = defaultRule(field)
  return [
    ...(isObject(field.required) ? [{ at: 'required', rule: field.required }] : []),
    ...(usual === undefined ? [] : [{ at: 'default/rule', rule: usual }]),
    ...(field.formula === undefined ? [] : [{ at: 'formula', rule: field.formula }]),
  ]
}

const ruleProblems = (rule: Rule, at: string): readonly ModuleProblem[] =>
  checkRule(rule, at)
    .slice(0, 1)
    .map(({ at: place, said }) => moduleProblem('VALUE_INVALID', place, said.message, said.hint))

/**
 * Values that rules make of each other, in a ring: there is nothing to begin with.
 * @param called  how rules call a field of the list
 */
export function ringProblems(
  fields: readonly Json[],
  called: (name: string) => string = (name) => name,
): readonly ModuleProblem[] {
  const described = fields.filter((one) => isObject(one) && typeof one.name === 'string')
  const own = new Set(described.map((one) => String((one as JsonObject).name)))
  const isRenamed = called('') !== ''
  const worked = (described as unknown as readonly Field[]).flatMap((field) => {
    const rule = isObject(field.formula) ? field.formula : defaultRule(field)
    if (rule === undefined) return []
    return [{ name: called(field.name), rule: isRenamed ? ownRule(rule, own) : rule }]
  })
  const ring = ringOf(worked)
  if (ring === null) return []
  const i = fields.findIndex((one) => isObject(one) && called(String(one.name)) === ring[0])
  const message = phrase('rules in a ring: {ring}', { ring: ring.join(' → ') })
  const hint = phrase('let one of them be written by people')
  return [moduleProblem('VALUE_INVALID', `/fields/${i}`, message, hint)]
}

/** Names that every object has are no keys of data. */
const isEveryObjects = (name: string): boolean => !isSafeName(name) || name in Object.prototype

function nameProblems(field: JsonObject, at: string): readonly ModuleProblem[] {
  const { name } = field
  if (typeof name !== 'string' || !NAME.test(name) || isEveryObjects(name))
    return [
      moduleProblem(
        'NAME_INVALID',
        `${at}/name`,
        phrase('"{name}" is no name', { name: String(name) }),
        phrase('a small letter, then letters, digits or _, 40 at most'),
      ),
    ]
  return []
}

/** Keys of the module itself. */
function keyProblems(given: JsonObject): readonly ModuleProblem[] {
  const known = Object.keys(MODULE_ATTRIBUTES)
  const keys = Object.keys(given).filter((key) => key !== '$schema')
  return [
    ...keys.flatMap((key) =>
      Object.hasOwn(MODULE_ATTRIBUTES, key)
        ? valueProblems(
            moduleAttributeFault(key as keyof ModuleDescription, given[key] ?? null),
            `/${escaped(key)}`,
            hintOf(MODULE_ATTRIBUTES, key),
          )
        : [unknownKey(key, known, `/${escaped(key)}`, phrase('a module'))],
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

function fieldListProblems({ fields }: JsonObject, kept?: ReadonlySet<string>): readonly ModuleProblem[] {
  if (!Array.isArray(fields)) return []
  return [
    ...fields.flatMap((field, i) => [
      ...fieldProblems(field as Json, `/fields/${i}`),
      ...reservedProblems(field as Json, `/fields/${i}`, kept),
    ]),
    ...repeatProblems(fields),
  ]
}

/** Fields of one list that share a name. */
export function repeatProblems(fields: readonly Json[]): readonly ModuleProblem[] {
  const seen = new Set<string>()
  return fields.flatMap((field, i) => {
    const name = isObject(field) && typeof field.name === 'string' ? field.name : ''
    const twice = name !== '' && seen.has(name)
    seen.add(name)
    if (!twice) return []
    const message = phrase('another field is called "{name}"', { name })
    const hint = phrase('names are the keys of the data')
    return [moduleProblem('NAME_REPEATED', `/fields/${i}/name`, message, hint)]
  })
}

/** A field that is called as something every record has. @param kept  names that were there before and stay */
export function reservedProblems(
  field: Json,
  at: string,
  kept: ReadonlySet<string> = new Set(),
): readonly ModuleProblem[] {
  const name = isObject(field) && typeof field.name === 'string' ? field.name : ''
  if (!RESERVED.has(name) || kept.has(name)) return []
  const message = phrase('every record has "{name}" already', { name })
  return [moduleProblem('NAME_RESERVED', `${at}/name`, message, phrase('choose another name'))]
}

/** Lists of stages, which fields refer to as to a module. */
const BESIDE_MODULES: ReadonlySet<string> = new Set(['flow'])
/** Pages that are derived from a tenant's own modules. */
const OWN_PAGE = /^\/pages\/m\//

/** Names of what stands outside of the description and that nobody has: dictionaries, modules, their rights, and pages. */
export function outsideProblems(given: JsonObject, known: ModuleNames): readonly ModuleProblem[] {
  return outsideNames(given).flatMap(({ what, name, at }) => {
    const names = known[what]
    if (names === undefined || names.has(name) || isElsewhere(what, name, given)) return []
    const sentence = phrase(PROBLEMS.WORD_UNKNOWN.message, { name, what: OUTSIDE[what] })
    return [moduleProblem('WORD_UNKNOWN', at, sentence, nameHint(name, [...names]))]
  })
}

const OUTSIDE = {
  dictionaries: phrase('dictionaries'),
  permissions: phrase('modules of the rights'),
  modules: phrase('modules'),
  routes: phrase('routes'),
}

function isElsewhere(what: keyof typeof OUTSIDE, name: string, { name: own }: JsonObject): boolean {
  if (what === 'routes') return OWN_PAGE.test(name)
  return what !== 'dictionaries' && (name === own || BESIDE_MODULES.has(name))
}

interface OutsideName {
  readonly what: keyof typeof OUTSIDE
  readonly name: string
  readonly at: string
}

/** Everything that a description names outside of itself, fields of rows included. */
export function outsideNames({ permission, fields, pages, convert }: JsonObject): readonly OutsideName[] {
  const one = (what: OutsideName['what'], name: Json | undefined, at: string): readonly OutsideName[] =>
    typeof name === 'string' ? [{ what, name, at }] : []
  const inFields = (list: Json | undefined, at: string): readonly OutsideName[] =>
    (Array.isArray(list) ? list : []).flatMap((field, i) => {
      if (!isObject(field)) return []
      const below = `${at}/${i}`
      return [
        ...one('dictionaries', field.dict, `${below}/dict`),
        ...one('modules', field.module, `${below}/module`),
        ...one('modules', ownValue(field.rollup, 'module'), `${below}/rollup/module`),
        ...inFields(field.fields, `${below}/fields`),
      ]
    })
  return [
    ...one('permissions', permission, '/permission'),
    ...inFields(fields, '/fields'),
    ...Object.entries(isObject(pages) ? pages : {}).flatMap(([key, path]) =>
      one('routes', typeof path === 'string' ? path.split('?')[0] : path, `/pages/${escaped(key)}`),
    ),
    ...Object.keys(isObject(convert) ? convert : {}).flatMap((module) =>
      one('modules', module, `/convert/${escaped(module)}`),
    ),
  ]
}

/** Names of fields in title, groups, statuses and what a record becomes. */
function linkProblems(given: JsonObject): readonly ModuleProblem[] {
  const fields = (Array.isArray(given.fields) ? given.fields : []).filter(isObject)
  const names = fields.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const ask = (name: Json | undefined, at: string): readonly ModuleProblem[] => {
    if (typeof name !== 'string' || names.includes(name)) return []
    const sentence = phrase('the module has no field "{name}"', { name })
    return [moduleProblem('FIELD_UNKNOWN', at, sentence, nameHint(name, names))]
  }
  const groups = (Array.isArray(given.groups) ? given.groups : []).filter(isObject)
  return [
    ...ask(given.title, '/title'),
    ...groups.flatMap(({ fields: members }, i) =>
      (Array.isArray(members) ? members : []).flatMap((name, j) =>
        ask(name as Json, `/groups/${i}/fields/${j}`),
      ),
    ),
    ...statusProblems(given.statuses, fields, ask),
    ...Object.entries(isObject(given.convert) ? given.convert : {}).flatMap(([module, taken]) =>
      Object.entries(isObject(taken) ? taken : {}).flatMap(([name, from]) =>
        ask(from ?? null, `/convert/${escaped(module)}/${escaped(name)}`),
      ),
    ),
  ]
}

function statusProblems(
  statuses: Json | undefined,
  fields: readonly JsonObject[],
  ask: (name: Json | undefined, at: string) => readonly ModuleProblem[],
): readonly ModuleProblem[] {
  if (!isObject(statuses)) return []
  const unknown = ask(statuses.field, '/statuses/field')
  const field = fields.find(({ name }) => sameJson(name, statuses.field))
  const options = Array.isArray(field?.options)
    ? field.options.filter(isObject).map(({ value }) => String(value))
    : null
  if (unknown.length > 0 || options === null || !isObject(statuses.moves)) return unknown
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

function valueProblems(fault: AttributeFault | null, at: string, hint: Phrase): readonly ModuleProblem[] {
  return fault === null ? [] : [moduleProblem('VALUE_INVALID', `${at}${fault.at}`, fault.reason, hint)]
}

const hintOf = (attributes: Readonly<Record<string, Schema>>, key: string): Phrase =>
  phrase(String(attributes[key]?.description ?? ''))

function unknownKey(key: string, known: readonly string[], at: string, owner: Phrase): ModuleProblem {
  return moduleProblem(
    'KEY_UNKNOWN',
    at,
    phrase('{owner} has no "{key}"', { owner, key }),
    nameHint(key, known),
  )
}

/** A fault with its sentence and a way on. */
export const moduleProblem = (
  code: ModuleProblemCode,
  at: string,
  message: Phrase,
  hint: Phrase,
): ModuleProblem => ({ code, at, message: spoken(message), hint: spoken(hint), said: { message, hint } })

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
