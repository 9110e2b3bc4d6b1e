export { applyRule, isTruthy } from './apply-rule.ts'
export { checkRule } from './check-rule.ts'
export { dependenciesOf } from './dependencies.ts'
