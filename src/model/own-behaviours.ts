import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, listOf, objectsIn, ownValue } from '../../runtime/core/json.ts'
import type { Behaviour } from './description.ts'
import { maskedInPools } from './followed-fields.ts'
import type { MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'
import { treeProblems } from './tree.ts'

/** What is somebody's before others share it, or nobody's for a time. */
const NEED_OWNERS: readonly Behaviour[] = ['team', 'pool']

/** Behaviours that would do nothing. @param before  what was said of the module until now: what did nothing then stays as it is */
export function ownBehaviourProblems(given: JsonObject, before: JsonObject = {}): readonly ModuleProblem[] {
  const had = listOf(before.behaviours ?? null)
  const names = listOf(given.behaviours ?? null)
  const isOwned = names.includes('owned')
  return [
    ...maskedTitle(given, names),
    ...treeProblems(given, before),
    ...unsaidApproval(given, names, before),
    ...names.flatMap((name, i) => {
      const didNothing = had.includes(name) && !had.includes('owned')
      if (didNothing || isOwned || !isOne(NEED_OWNERS, name)) return []
      const message = phrase('"{name}" is of records with an owner', { name })
      const hint = phrase('it needs {keys}', { keys: 'owned' })
      return [moduleProblem('VALUE_INVALID', `/behaviours/${i}`, message, hint)]
    }),
  ]
}

/** A behaviour that lives by what the module says of it. */
function unsaidApproval(
  { approval }: JsonObject,
  behaviours: readonly Json[],
  before: JsonObject,
): readonly ModuleProblem[] {
  const at = behaviours.indexOf('approval')
  const wasUnsaid = listOf(before.behaviours ?? null).includes('approval') && before.approval === undefined
  if (at === -1 || approval !== undefined || wasUnsaid) return []
  const message = phrase('the module does not say how its records are approved')
  const hint = phrase('say it in {key}: {example}', { key: 'approval', example: EXAMPLE })
  return [moduleProblem('KEY_MISSING', `/behaviours/${at}`, message, hint)]
}
const EXAMPLE = '{ "steps": [{ "kind": "superior", "mode": "any" }] }'

/** What records are called by is said in their pool as well: nothing that is masked there, nor what follows from it. */
function maskedTitle({ title, fields }: JsonObject, behaviours: readonly Json[]): readonly ModuleProblem[] {
  if (!behaviours.includes('pool')) return []
  const described = { title: '', origin: 'tenant', fields: objectsIn(fields) } as unknown as MergedModule
  const masked = maskedInPools(described)
  const all = listOf(fields ?? null)
  const at = all.findIndex((one) => isObject(one) && one.name === title && masked.has(String(title)))
  if (at === -1) return []
  const message = phrase('records are called by "{name}"', { name: String(title) })
  return [
    moduleProblem(
      'VALUE_INVALID',
      `/fields/${at}/${ownValue(all[at], 'mask') === undefined ? 'worked' : 'mask'}`,
      message,
      phrase('let another field name them first'),
    ),
  ]
}

const isOne = (some: readonly Behaviour[], name: Json): name is Behaviour => some.some((one) => one === name)
