import { phrase } from '../../runtime/core/errors.ts'
import { type JsonObject, sameJson } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { RESERVED } from './attributes.ts'
import type { MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'
import { describedRules, namesInRules, readNames } from './named-fields.ts'

/** What records have besides fields: words of what they name, moments, ids. */
const BESIDE = /_(?:names?|ids?|at|no)$/

/**
 * Names in the rules of a description that a record of the module does not have: such a rule reads nothing, and nobody would be told. A rule that
 * was there before stays, unless this change takes away a field that it reads.
 * @param module  as it is to be
 * @param was  as it was
 */
export function ruleNameProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  module: MergedModule,
  was: MergedModule | undefined,
): readonly ModuleProblem[] {
  const names = module.fields.flatMap((field) => namesInRules(field, module))
  const readable = new Set([...names, ...RESERVED])
  const had = new Set(was?.fields.flatMap((field) => namesInRules(field, was).slice(0, 1)))
  const rulesBefore = describedRules(before ?? {})
  return describedRules(given).flatMap(({ rule, at, by }) => {
    const isOld = rulesBefore.some((one) => one.by === by && sameJson(one.rule, rule))
    const isGone = (name: string): boolean => had.has(name) || !(isOld || BESIDE.test(name))
    const read = readNames(rule, isOld ? (was ?? module) : module)
    const unknown = read.find((name) => !readable.has(name) && isGone(name))
    if (unknown === undefined) return []
    const sentence = phrase('the module has no field "{name}"', { name: unknown })
    return [moduleProblem('FIELD_UNKNOWN', at, sentence, nameHint(unknown, names))]
  })
}
