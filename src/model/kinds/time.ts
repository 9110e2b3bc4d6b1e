import { formatDate, WIRE } from '../../../runtime/core/dates/format.ts'
import { FORMAT_FAULT, INVALID, type Kind, OPERATORS, plainPlace, plainText } from '../kind.ts'
import { writtenDate } from '../written-date.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/
const MINUTES = 16

/** A day, `yyyy-MM-dd`. */
export const day: Kind = {
  name: 'day',
  filledBy: 'choose',
  attributes: ['worked'],
  stored: 'day',
  index: 'moment',
  read: (raw) =>
    typeof raw === 'string' && DAY.test(raw) ? (formatDate(raw, WIRE.date) ?? INVALID) : INVALID,
  fault: () => FORMAT_FAULT,
  widget: () => ({ type: 'date' }),
  place: plainPlace,
  face: 'days',
  operators: OPERATORS.time,
  sorts: true,
  write: (value) => plainText(value).slice(0, WIRE.date.length),
  parse: (cell) => writtenDate(cell.trim(), true),
}

/** A day with a time, `yyyy-MM-dd HH:mm:ss` on the tenant's clocks. */
export const moment: Kind = {
  name: 'moment',
  filledBy: 'choose',
  attributes: [],
  stored: 'moment',
  index: 'moment',
  read: (raw) =>
    typeof raw === 'string' && MOMENT.test(raw) ? (formatDate(raw, WIRE.dateTime) ?? INVALID) : INVALID,
  fault: () => FORMAT_FAULT,
  widget: () => ({
    type: 'datetime',
    options: { hideSecond: true, format: 'YYYY-MM-DD HH:mm', valueFormat: WIRE.dateTime },
  }),
  place: (at) => `{{ ${at} | date:YYYY-MM-DD HH:mm }}`,
  face: 'moments',
  operators: OPERATORS.time,
  sorts: true,
  write: (value) => plainText(value).slice(0, MINUTES),
  parse: (cell) => writtenDate(cell.trim(), false),
}
