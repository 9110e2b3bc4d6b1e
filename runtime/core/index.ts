/** The public interface of the core: parse a page, open it, judge posted values. */
export type { KnownNames } from './check/known-names.ts'
export { parseStrictly } from './check/parse-strictly.ts'
export { createEngine } from './create-engine.ts'
export { type ConflictField, type ConflictWords, conflictWords } from './engine/conflict-words.ts'
export { CheckOverBudget, type CheckPlace, judgeSubmission } from './engine/judge-submission.ts'
export type {
  Conflict,
  Draft,
  Engine,
  EngineOptions,
  FieldError,
  NodeState,
  Scope,
  TemplateNode,
} from './engine.ts'
export { type Failure, failure, type Problem, RuntimeError } from './errors.ts'
export { isObject, type Json, type JsonObject, sameJson, valueAt } from './json.ts'
export { FORM_STATE_HEADER, type FormState, isOwnAddress, parseFormState } from './model/form-state.ts'
export { nearestName } from './page/nearest-type.ts'
export type { Page, PageDocument, PageNode } from './page/page.ts'
export { printPage } from './page/print.ts'
export type { WidgetRegistry, WidgetSpec } from './page/widget-spec.ts'
export { parsePage } from './parse-page.ts'
export type * from './ports.ts'
export { createRegistry } from './widgets/index.ts'
