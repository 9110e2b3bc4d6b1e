import { type Json, type JsonObject, valueAt } from '../json.ts'
import { ROOTS, type Scope } from '../page/scope.ts'

/** The scope of a data source's expressions: the page's scope, `DSV` (host and local variables), `VFR` (the form's values). */
export interface VariableScope {
  readonly scope: Scope
  readonly dsv: JsonObject
}

const TOKEN =
  /\s*(?:(['"])((?:\\.|(?!\1)[^\\])*)\1|([A-Za-z_$][\w$]*(?:\.[\w$]+|\[(?:'[^']*'|"[^"]*"|\d+)\])*)(\(([^()]*)\))?|(-?\d+(?:\.\d+)?))\s*/y

/**
 * Evaluates a `Variable` (HOOKS 5.2): a path (`form.tab`, `DSV.search`), a number, a quoted text, `dsv('x', 'default')`,
 * `VFR.getFieldValue('name')`, or several of them joined by `+`, then concatenated as text. Nothing else is evaluated: no code runs.
 *
 * @returns the value; undefined if a path has no value or the expression has another form
 */
export function evaluateVariable(expression: string, at: VariableScope): Json | undefined {
  const parts: (Json | undefined)[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const start = TOKEN.lastIndex
    const found = TOKEN.exec(expression)
    if (!found || found.index !== start) return undefined
    parts.push(partValue(found, at))
    const end = TOKEN.lastIndex
    if (end === expression.length) break
    if (expression[end] !== '+') return undefined
    TOKEN.lastIndex = end + 1
  }
  return parts.length === 1 ? parts[0] : parts.map((part) => asText(part)).join('')
}

function partValue(found: RegExpExecArray, at: VariableScope): Json | undefined {
  const [, quote, text = '', path, call, args = '', number] = found
  if (quote !== undefined) return text.replace(/\\(.)/g, '$1')
  if (number !== undefined) return Number(number)
  if (path === undefined) return undefined
  return call === undefined ? readPath(path, at) : readCall(path, args, at)
}

function readPath(path: string, { scope, dsv }: VariableScope): Json | undefined {
  const steps = path.replace(/\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g, (_, a, b, c) => `.${a ?? b ?? c}`)
  const [root = '', ...rest] = steps.split('.')
  if (root === 'DSV') return valueAt(dsv, rest.join('.'))
  if (root === 'VFR') return valueAt(scope.form, rest.at(-1) ?? '')
  return ROOTS.has(root) ? valueAt(scope, steps) : (valueAt(dsv, steps) ?? valueAt(scope.form, steps))
}

function readCall(path: string, args: string, at: VariableScope): Json | undefined {
  const [first = '', second] = args.split(',').map((arg) => arg.trim().replace(/^(['"])(.*)\1$/, '$2'))
  if (path === 'dsv' || path === 'vfr') {
    return valueAt(path === 'dsv' ? at.dsv : at.scope.form, first) ?? second
  }
  return path === 'VFR.getFieldValue' ? valueAt(at.scope.form, first) : undefined
}

/** A value as part of a text: null and undefined are empty, objects are JSON. */
export function asText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The value of a header, parameter or body item (HOOKS 5.1); undefined leaves the item out. */
export function itemValue(item: JsonObject, at: VariableScope): Json | undefined {
  const { type, value } = item
  switch (type) {
    case 'Number': {
      const number = Number(value)
      return value === '' || value === null || value === undefined || Number.isNaN(number)
        ? undefined
        : number
    }
    case 'Boolean':
      return value === true || value === 'true' || value === '1'
        ? true
        : value === false || value === 'false' || value === '0'
          ? false
          : null
    case 'Variable':
      return typeof value === 'string' ? evaluateVariable(value, at) : undefined
    default:
      return value === undefined ? undefined : asText(value)
  }
}
