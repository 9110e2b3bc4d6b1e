import { formatDecimal } from '../../../runtime/core/decimal.ts'
import { formulaRule } from '../computed-values.ts'
import { FORMAT_FAULT, INVALID, type Kind, namedPlace, OPERATORS, plainPlace, plainText } from '../kind.ts'

/** What nobody writes: a body that names such a field is refused. */
const derived: Pick<Kind, 'derived' | 'read' | 'fault' | 'parse'> = {
  derived: true,
  read: () => INVALID,
  fault: () => FORMAT_FAULT,
  parse: (cell) => cell,
}

/** The record's number, counted by the server in the writing transaction. */
export const autoNumber: Kind = {
  ...derived,
  name: 'auto-number',
  attributes: ['number'],
  needs: [['number']],
  stored: 'text',
  index: 'text',
  // A record that is yet to be made has none.
  widget: () => ({ type: 'input', options: { readonly: true, visibleOn: { '!!': { var: 'params.id' } } } }),
  place: plainPlace,
  face: 'text',
  operators: OPERATORS.text,
  sorts: true,
  write: plainText,
}

/** Worked out from the record by JSON-Logic, by the same code on both sides; it is never stored. */
export const formula: Kind = {
  ...derived,
  name: 'formula',
  attributes: ['formula', 'result', 'decimals'],
  needs: [['formula']],
  stored: 'none',
  index: null,
  widget: (field) => ({ type: 'input', options: { readonly: true, valueOn: formulaRule(field) ?? null } }),
  place: plainPlace,
  face: null,
  operators: OPERATORS.none,
  write: (value, field) =>
    typeof value === 'number' ? formatDecimal(value, field.decimals ?? 2, false) : plainText(value),
}

/** Worked out over the records of another module that name this one, when it is read; its words stand beside it. */
export const rollup: Kind = {
  ...derived,
  name: 'rollup',
  attributes: ['rollup', 'decimals'],
  needs: [['rollup']],
  stored: 'none',
  index: null,
  widget: () => ({ type: 'static-text' }),
  place: namedPlace,
  // Rows of a list carry it only where its card says so.
  long: true,
  face: null,
  operators: OPERATORS.none,
  write: (value, field) =>
    typeof value === 'number' ? formatDecimal(value, field.decimals ?? 2, false) : plainText(value),
}
