import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type JsonObject, objectsIn, sameJson } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import type { Field } from './description.ts'
import { kindOf } from './kinds/index.ts'
import { labelText } from './labels.ts'
import type { MergedField, MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

export type RollupOf = NonNullable<Field['rollup']>['of']

/** What is worked out over the records that name one. */
export const ROLLUPS: readonly RollupOf[] = ['count', 'sum', 'min', 'max', 'latest']

/** Rollups of one module: each is asked for every record of a page. */
const MAX_ROLLUPS = 10

/** Modules of the product whose records are counted: those that have lists, in which everybody sees what their scope shows them. */
const COUNTED: ReadonlySet<string> = new Set([
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'activity',
])

/** A rollup whose names are all there. */
export interface Rolled {
  readonly field: MergedField
  readonly of: RollupOf
  readonly child: MergedModule
  /** The field of the child that names the record. */
  readonly by: MergedField
  /** The field of the child that is worked with; null: the records themselves, or when the last of them was made. */
  readonly value: MergedField | null
}

export type Modules = ReadonlyMap<string, MergedModule>

/** A record of this module is named by that field. */
const isNaming = ({ kind, module, retired }: Field, name: string): boolean =>
  kind === 'ref' && module === name && retired !== true

/** A field can be worked with in this way. */
export function isRolled(of: RollupOf, { kind, retired }: Field): boolean {
  const { stored, index } = kindOf(kind)
  if (retired === true || index === 'ref') return false
  if (of === 'sum') return stored === 'number'
  if (of === 'latest') return stored === 'text' || stored === 'flag' || isOrdered(kind)
  return of !== 'count' && isOrdered(kind)
}

const isOrdered = (kind: Field['kind']): boolean => ['number', 'day', 'moment'].includes(kindOf(kind).stored)

/** Records that can be counted at a module: those of which a field names it. */
export function countedAt(
  name: string,
  modules: Modules,
): readonly { readonly child: MergedModule; readonly by: MergedField }[] {
  return [...modules.values()]
    .filter(({ origin, name: child }) => origin === 'tenant' || COUNTED.has(child))
    .flatMap((child) => child.fields.filter((by) => isNaming(by, name)).map((by) => ({ child, by })))
}

/** The rollups of a module; what names something that is gone is left out. */
export function rolledOf({ name, fields }: MergedModule, modules: Modules): readonly Rolled[] {
  return fields.flatMap((field): Rolled[] => {
    if (field.rollup === undefined || field.retired === true) return []
    const { module, by, of, field: at } = field.rollup
    const found = countedAt(name, modules).find((one) => one.child.name === module && one.by.name === by)
    const value = found?.child.fields.find((one) => one.name === at && isRolled(of, one)) ?? null
    const isWhole = value !== null || (at === undefined && (of === 'count' || of === 'latest'))
    return found !== undefined && isWhole ? [{ field, of, ...found, value }] : []
  })
}

/**
 * What is wrong with the rollups of a description: more than there may be, a field that does not name the module, a field that cannot be
 * worked with in this way. What was there before stays, for its field may be gone by now.
 * @param given  a module of the tenant's own, or what it says otherwise of one of the product's
 * @param before  what was said so far
 */
export function rollupProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  modules: Modules,
): readonly ModuleProblem[] {
  const name = String(given.name)
  const was = objectsIn(before?.fields)
  const all = objectsIn(given.fields).flatMap((field, i) => (isObject(field.rollup) ? [{ field, i }] : []))
  const tooMany =
    all.length > MAX_ROLLUPS
      ? [
          moduleProblem(
            'VALUE_INVALID',
            '/fields',
            phrase('{count} rollups', { count: all.length }),
            phrase('{most} at most', { most: MAX_ROLLUPS }),
          ),
        ]
      : []
  const changed = all.filter(
    ({ field }) => !was.some((one) => one.name === field.name && sameJson(one.rollup, field.rollup)),
  )
  return [
    ...tooMany,
    ...changed.flatMap(({ field, i }) =>
      namingProblems(field as unknown as MergedField, `/fields/${i}/rollup`, name, modules),
    ),
  ]
}

function namingProblems(
  { rollup }: MergedField,
  at: string,
  name: string,
  modules: Modules,
): readonly ModuleProblem[] {
  const child = modules.get(rollup?.module ?? '')
  // Of a module that comes along with this one, nothing is known yet.
  if (rollup === undefined || child === undefined) return []
  const naming = countedAt(name, modules)
    .filter((one) => one.child === child)
    .map(({ by }) => by.name)
  if (!naming.includes(rollup.by)) {
    const message = phrase('"{by}" of "{module}" does not name records of "{name}"', {
      by: rollup.by,
      module: child.name,
      name,
    })
    const hint =
      naming.length === 0
        ? phrase('"{module}" has no field that names it', { module: labelText(child.label) })
        : nameHint(rollup.by, naming)
    return [moduleProblem('VALUE_INVALID', `${at}/by`, message, hint)]
  }
  const offered = child.fields.filter((field) => isRolled(rollup.of, field)).map((field) => field.name)
  const needsField = rollup.of !== 'count' && (rollup.field !== undefined || rollup.of !== 'latest')
  if (!needsField || offered.includes(rollup.field ?? '')) return []
  const message = phrase('"{of}" cannot be worked out of "{field}"', {
    of: rollup.of,
    field: rollup.field ?? '',
  })
  const hint =
    offered.length === 0
      ? phrase('"{module}" has no field that "{of}" can be worked out of', {
          module: labelText(child.label),
          of: rollup.of,
        })
      : nameHint(rollup.field ?? '', offered)
  return [moduleProblem('VALUE_INVALID', `${at}/field`, message, hint)]
}
