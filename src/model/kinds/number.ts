import { formatDecimal, roundDecimal } from '../../../runtime/core/decimal.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  type Kind,
  type KindFault,
  OPERATORS,
  plainPlace,
  plainText,
} from '../kind.ts'

/** The largest amount of money, in yuan, and the largest number a field keeps exactly. */
export const MAX_MONEY = 9_999_999_999.99
const MAX_NUMBER = 999_999_999_999
/** As fine as a field may be. Digits behind that come from a device that measured, not from somebody: they are rounded away. */
const FINEST = 6

/** The bounds of a number, included. */
export interface Shape {
  readonly min: number
  readonly max: number
  readonly decimals: number
}

/** Why a value is no such number, by the bound that it passes; null if it is one. */
export function numberFault(value: Json | undefined, { min, max, decimals }: Shape): KindFault | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return FORMAT_FAULT
  if (value < min) return { code: 'record.min', places: { min } }
  if (value > max) return { code: 'record.max', places: { max } }
  if (roundDecimal(value, decimals) === value) return null
  return decimals === 0 ? { code: 'record.whole' } : { code: 'record.decimals', places: { decimals } }
}

const PLACES: Readonly<Partial<Record<Kind['name'], Kind['place']>>> = {
  money: (at) => `{{ ${at} | money }}`,
  percent: (at) => `{{ ${at} | percent }}`,
}

const UNITS: Readonly<Partial<Record<Kind['name'], NonNullable<Kind['unit']>>>> = {
  money: ({ yuan }) => yuan,
  percent: () => '%',
}

/** A kind of numbers, by its widest bounds; a field may declare narrower ones. More decimals than it has are refused, not rounded away. */
function numberKind(name: Kind['name'], widest: Shape, own: readonly (keyof Field)[]): Kind {
  const shapeOf = (field: Field): Shape => ({
    min: Math.max(field.min ?? widest.min, widest.min),
    max: Math.min(field.max ?? widest.max, widest.max),
    decimals: own.includes('decimals') ? (field.decimals ?? 2) : widest.decimals,
  })
  const asFine = (raw: Json = null, field: Field): Json =>
    typeof raw === 'number' && shapeOf(field).decimals === FINEST ? roundDecimal(raw, FINEST) : raw
  const unit = UNITS[name]
  return {
    name,
    ...(unit === undefined ? {} : { unit }),
    attributes: own,
    stored: 'number',
    index: 'number',
    read(raw, field) {
      const value = asFine(raw, field)
      return numberFault(value, shapeOf(field)) === null ? value : INVALID
    },
    fault: (field, raw) => numberFault(asFine(raw, field), shapeOf(field)) ?? FORMAT_FAULT,
    widget(field) {
      const { min, max, decimals } = shapeOf(field)
      const options = { precision: decimals, min, max }
      return { type: 'number', options: name === 'money' ? { ...options, grouped: true } : options }
    },
    place: PLACES[name] ?? plainPlace,
    face: 'range',
    operators: OPERATORS.number,
    sorts: true,
    write: (value, field) =>
      typeof value !== 'number'
        ? plainText(value)
        : name === 'money'
          ? formatDecimal(value, 2)
          : name === 'percent'
            ? `${value}%`
            : formatDecimal(value, Math.min(shapeOf(field).decimals, decimalsOf(value)), false),
    parse(cell) {
      const written = cell.replace(/[,，\s¥￥]/g, '').replace(/[%％]$/, '')
      return written === '' || Number.isNaN(Number(written)) ? cell : Number(written)
    },
  }
}

const decimalsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0

export const number = numberKind('number', { min: -MAX_NUMBER, max: MAX_NUMBER, decimals: 2 }, [
  'min',
  'max',
  'decimals',
  'worked',
])
export const integer = numberKind('integer', { min: -MAX_NUMBER, max: MAX_NUMBER, decimals: 0 }, [
  'min',
  'max',
  'worked',
])
export const money = numberKind('money', { min: -MAX_MONEY, max: MAX_MONEY, decimals: 2 }, [
  'min',
  'max',
  'worked',
])
export const percent = numberKind('percent', { min: 0, max: 100, decimals: 2 }, ['min', 'max', 'worked'])
