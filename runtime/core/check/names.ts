import { type Problem, problem } from '../errors.ts'
import { isObject } from '../json.ts'
import { checkRule } from '../logic/check-rule.ts'
import { dependenciesOf } from '../logic/rule.ts'
import type { Page } from '../page/page.ts'
import type { Placing } from '../page/parse.ts'

/** Pointer of a part of the checked value; '' is the value itself. */
export type At = (below: string) => string

/** Names that rules, texts and actions of a page may use. */
export interface Names {
  readonly fields: ReadonlySet<string>
  readonly sources: ReadonlySet<string>
  /** Everything that can be opened: sheets, popups, dialogs, drawers. */
  readonly sheets: ReadonlySet<string>
  readonly params: ReadonlySet<string>
  /** Severity of errors with which a plain VForm document can still be drawn. */
  readonly mild: Problem['severity']
}

export function namesOf(page: Page, placing: Placing): Names {
  const fields = new Set<string>()
  const sheets = new Set<string>()
  for (const { name, field, type, spec } of page.nodes.values()) {
    if (field || type === 'sub-form') fields.add(name)
    if ('open' in spec.options) sheets.add(name)
  }
  const params = new Set<string>()
  const declared = Array.isArray(page.settings.params) ? page.settings.params : []
  for (const param of declared) if (isObject(param)) params.add(String(param.name))
  const mild = placing.ours ? 'error' : 'warning'
  return { fields, sheets, params, sources: new Set(page.dataSources.keys()), mild }
}

/** Structure of a rule, and whether the fields it reads exist. */
export function checkRuleAt(rule: unknown, at: At, names: Names): Problem[] {
  const problems = checkRule(rule, '').map((found) => ({ ...found, at: at(found.at) }))
  if (problems.length > 0) return problems
  return dependenciesOf(rule).flatMap((path) => checkPath(path, at(''), names))
}

/** A full path to a field or a parameter that the page does not have. Data may come from the host: it is not checked. */
export function checkPath(path: string, at: string, names: Names): Problem[] {
  const [root, name] = path.split('.')
  if (name === undefined) return []
  if (root === 'form' && !names.fields.has(name))
    return [problem('RULE_UNKNOWN_NAME', at, { path }, names.mild)]
  if (root === 'params' && !names.params.has(name)) {
    return [problem('RULE_UNKNOWN_NAME', at, { path }, 'warning')]
  }
  return []
}
