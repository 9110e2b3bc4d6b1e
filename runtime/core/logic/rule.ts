export { applyRule, isTruthy } from './apply-rule.ts'
export { dependenciesOf } from './dependencies.ts'
