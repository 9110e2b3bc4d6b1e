/** Options whose value is a JSON-Logic rule, on any widget that has them (runtime/PAGE-FORMAT.md, "Any widget" and "Containers"). */
export const RULE_OPTIONS: ReadonlySet<string> = new Set([
  'visibleOn',
  'requiredOn',
  'disabledOn',
  'readonlyOn',
  'valueOn',
  'defaultOn',
  'openOn',
  'createOn',
])
