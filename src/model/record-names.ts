import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, objectsIn } from '../../runtime/core/json.ts'
import type { KindName } from './description.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/** Kinds whose values a record can be called by: they are read as they are written. */
const NAMING: ReadonlySet<string> = new Set<KindName>([
  'text',
  'long-text',
  'phone',
  'email',
  'url',
  'number',
  'integer',
  'auto-number',
  'day',
])

/**
 * The field that a record is called by, which is there and says a name. What was so before stays.
 * @param before  the module as it was described so far
 */
export function titleProblems(given: JsonObject, before: JsonObject | undefined): readonly ModuleProblem[] {
  const { title } = given
  const fields = objectsIn(given.fields)
  const at = fields.findIndex(({ name }) => name === title)
  const field = fields[at]
  if (field === undefined) return []
  const was =
    before?.title === title ? objectsIn(before?.fields).find(({ name }) => name === title) : undefined
  const isRetired = field.retired === true && was?.retired !== true
  const isNone = !NAMING.has(String(field.kind)) && was?.kind !== field.kind
  const name = String(title)
  return [
    ...(isRetired
      ? [
          moduleProblem(
            'VALUE_INVALID',
            `/fields/${at}/retired`,
            phrase('records are called by "{name}"', { name }),
            phrase('let another field name them first'),
          ),
        ]
      : []),
    ...(isNone
      ? [
          moduleProblem(
            'VALUE_INVALID',
            '/title',
            phrase('a field of kind {kind} names no record', { kind: String(field.kind) }),
            phrase('one of {kinds}', { kinds: [...NAMING].join(', ') }),
          ),
        ]
      : []),
  ]
}

/** What answers say of every record of a module that lives by its description, and the key of the description that it is said for; '' if for none. */
function reservedNames(module: JsonObject): ReadonlyMap<string, string> {
  const { title, behaviours } = module
  const has = (key: string): boolean => module[key] !== undefined
  const can = (behaviour: string): boolean => Array.isArray(behaviours) && behaviours.includes(behaviour)
  const reserved: readonly (readonly [key: string, isThere: boolean, names: readonly string[]])[] = [
    ['', true, ['created_by_name', 'made_of', 'ids']],
    ['title', title !== 'title', ['title']],
    ['number', has('number'), ['record_no']],
    ['amount', has('amount'), ['amount_capitals']],
    ['until', has('until'), ['lapsed']],
    ['approval', has('approval'), ['approval_status']],
    ['versions', can('versions'), ['revision_no']],
    ['owned', can('owned'), ['owner_name']],
    ['star', can('star'), ['starred']],
    ['pool', can('pool'), POOL_NAMES],
  ]
  return new Map(
    reserved.flatMap(([key, isThere, names]) => (isThere ? names.map((name) => [name, key] as const) : [])),
  )
}

const POOL_NAMES: readonly string[] = [
  'pool_id',
  'pool_entered_at',
  'pool_reason',
  'pool_times',
  'prev_owner_name',
  'claimable_at',
  'expire_at',
  'left_days',
]

/**
 * Fields of a module that lives by its description, called as something that answers say of its records: one of both would be shown as the
 * other. A field that was there before its name was reserved stays, unless it is this change that reserves the name.
 * @param module  the module as a whole, where `given` says only what is otherwise
 */
export function recordNameProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  module: JsonObject = given,
): readonly ModuleProblem[] {
  const previousNames = new Set(objectsIn(before?.fields).map(({ name }) => String(name)))
  const shipped = new Set(module === given ? [] : objectsIn(module.fields).map(({ name }) => String(name)))
  const reserved = reservedNames(module)
  const wasReserved = reservedNames(module === given ? (before ?? {}) : module)
  return (Array.isArray(given.fields) ? given.fields : []).flatMap((field: Json, i) => {
    const name = isObject(field) ? String(field.name) : ''
    const key = reserved.get(name)
    const isOld = previousNames.has(name)
    const stays = isOld && (key === '' || wasReserved.has(name))
    if (key === undefined || stays || shipped.has(name)) return []
    const isAlways = key === '' || key === 'title'
    const message = isAlways
      ? phrase('every record has "{name}" already', { name })
      : phrase('with "{key}" every record has "{name}" already', { key, name })
    const hint = !isOld
      ? phrase('choose another name')
      : key === 'title'
        ? phrase('call records by "{name}", or replace the field by another', { name })
        : phrase('do without "{key}", or replace the field by another', { key })
    return [moduleProblem('NAME_RESERVED', `/fields/${i}/name`, message, hint)]
  })
}
