import { type Problem, problem } from '../errors.ts'
import { ownValue } from '../json.ts'
import type { PageNode } from '../page/page.ts'
import type { Placing } from '../page/parse.ts'
import { isNamedRule } from '../rules/named-rules.ts'
import { patternFault } from '../rules/pattern.ts'
import type { Names } from './names.ts'

/** The validation pattern and the data source that a widget names. */
export function checkFieldOptions(node: PageNode, names: Names, placing: Placing): Problem[] {
  const options = node.widget.options
  const validation = ownValue(options, 'validation')
  const problems: Problem[] = []
  if (typeof validation === 'string' && validation !== '' && !isNamedRule(validation)) {
    const reason = patternFault(validation)
    const at = placing.at(node, '/options/validation')
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
