/** How an operation treats its arguments; the table of all operations available to rules (runtime/PAGE-FORMAT.md). */
interface Operation {
  readonly min: number
  readonly max: number
  /** The second argument is evaluated once per item and reads only the item. */
  readonly perItem?: true
}

const any: Operation = { min: 0, max: Number.POSITIVE_INFINITY }
const unary: Operation = { min: 1, max: 1 }
const two: Operation = { min: 2, max: 2 }
const perItem: Operation = { min: 2, max: 2, perItem: true }

/** Operations of a rule by name. `method` and `log` of JSON-Logic are left out on purpose. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['var', { min: 1, max: 2 }],
  ['missing', any],
  ['missing_some', two],
  ['if', any],
  ['?:', any],
  ['and', any],
  ['or', any],
  ['!', unary],
  ['!!', unary],
  ['==', two],
  ['===', two],
  ['!=', two],
  ['!==', two],
  ['<', { min: 2, max: 3 }],
  ['<=', { min: 2, max: 3 }],
  ['>', two],
  ['>=', two],
  ['min', any],
  ['max', any],
  ['+', any],
  ['-', { min: 1, max: 2 }],
  ['*', any],
  ['/', two],
  ['%', two],
  ['map', perItem],
  ['filter', perItem],
  ['all', perItem],
  ['some', perItem],
  ['none', perItem],
  ['reduce', { min: 2, max: 3, perItem: true }],
  ['merge', any],
  ['in', two],
  ['cat', any],
  ['substr', { min: 2, max: 3 }],
  ['length', unary],
  ['startsWith', two],
  ['round', { min: 1, max: 2 }],
  ['daysBetween', two],
  ['addMonths', two],
])
