export { applyRule, isTruthy } from './apply-rule.ts'
export { checkRule, RULE_LIMITS } from './check-rule.ts'
export { dependenciesOf } from './dependencies.ts'
