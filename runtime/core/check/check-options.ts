import { type Problem, problem } from '../errors.ts'
import { ownValue } from '../json.ts'
import type { PageNode } from '../page/page.ts'
import type { Placing } from '../page/parse.ts'
import { isNamedRule } from '../rules/named-rules.ts'
import { patternFault } from '../rules/pattern.ts'
import type { Names } from './names.ts'

/** Options that are a named rule, or a pattern. */
const RULES: readonly string[] = ['validation', 'customRule']

/** The patterns of a widget, and the data source that it names. */
export function checkFieldOptions(node: PageNode, names: Names, placing: Placing): Problem[] {
  const options = node.widget.options
  const problems: Problem[] = []
  for (const name of RULES) {
    const pattern = ownValue(options, name)
    if (typeof pattern !== 'string' || pattern === '' || isNamedRule(pattern)) continue
    const reason = patternFault(pattern)
    const at = placing.at(node, `/options/${name}`)
    if (reason !== null) problems.push(problem('PATTERN_INVALID', at, { reason }, names.mild))
  }
  const source = ownValue(options, 'dsName')
  if (typeof source !== 'string' || source === '' || names.sources.has(source)) return problems
  if (node.option('dsEnabled') !== false) {
    const at = placing.at(node, '/options/dsName')
    problems.push(problem('DATA_SOURCE_UNKNOWN', at, { name: source }, names.mild))
  }
  return problems
}
