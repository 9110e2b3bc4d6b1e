import { isObject, type Json, type JsonObject, listOf } from '../../runtime/core/json.ts'
import { convertValue, isConvertible, type Meanings } from './convert-value.ts'
import { filterNames } from './derived/filters.ts'
import type { DerivedWords } from './derived/words.ts'
import type { Field } from './description.ts'
import { faceOf } from './filter-faces.ts'
import { INVALID } from './kind.ts'
import { kindOf } from './kinds/index.ts'
import { isEmpty } from './read-record.ts'

/** What a saved view asks for: a list request, and what the fields of its screen held. */
export interface View {
  readonly request: JsonObject
  readonly state: JsonObject
}

/** A field that is of another kind now. */
export interface ConvertedField {
  readonly was: Field
  readonly made: Field
  /** Its name in list requests. */
  readonly called: string
  /** Its name on screens. */
  readonly drawn: string
}

interface Reading {
  readonly meanings: Meanings
  readonly words: DerivedWords
}

/**
 * A view that asks by a field of another kind now: its values are converted as those of records are, and what says nothing in the other kind is
 * taken out.
 *
 * @returns `lost`: true when something was taken out
 */
export function convertView(
  view: View,
  turned: ConvertedField,
  reading: Reading,
): View & { readonly lost: boolean } {
  const state = convertState(view.state, turned, reading)
  const request = convertRequest(view.request, turned, reading.meanings)
  return { state: state.is, request: request.is, lost: state.lost || request.lost }
}

/** Names of the widgets of a filter sheet that ask by a field. */
export const widgetsAsking = (field: Field, drawn: string, words: DerivedWords): readonly string[] =>
  filterNames([{ ...field, name: drawn }], words)

/** The field that the order of a screen names (`name`, `name asc`), as screens or list requests call it. */
export const orderedBy = (sort: Json | undefined): string =>
  typeof sort === 'string' ? (sort.split(' ')[0] ?? '') : ''

/** True for what a widget of a filter sheet holds while it asks for nothing. */
export const isEmptyFilter = (filterValues: Json | undefined): boolean =>
  filterValues === undefined || filterValues === false || isEmpty(filterValues)

interface Part<T> {
  readonly is: T
  readonly lost: boolean
}

function convertState(
  state: JsonObject,
  { was, made, called, drawn }: ConvertedField,
  { meanings, words }: Reading,
): Part<JsonObject> {
  const before = widgetsAsking(was, drawn, words)
  const filterValues = before.map((name) => state[name] ?? null)
  const isFiltered = filterValues.some((value) => !isEmptyFilter(value))
  const values = isFiltered ? convertHeld(filterValues, was, made, meanings) : []
  const after = values === null ? [] : widgetsAsking(made, drawn, words)
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !before.includes(name)))
  const isOrdered = [drawn, called].includes(orderedBy(state.sort))
  const losesOrder = isOrdered && kindOf(made.kind).sorts !== true
  return {
    is: {
      ...rest,
      ...(losesOrder ? { sort: '' } : {}),
      ...(isFiltered ? Object.fromEntries(after.map((name, i) => [name, values?.[i] ?? null])) : {}),
    },
    lost: (isFiltered && values === null) || losesOrder,
  }
}

const LISTS: readonly (string | null)[] = ['choices', 'picker', 'words']
const TIMES: readonly (string | null)[] = ['days', 'moments']

/** What the widgets of the other kind hold instead, in their order; null where that says nothing there. */
function convertHeld(
  filterValues: readonly Json[],
  was: Field,
  made: Field,
  meanings: Meanings,
): readonly Json[] | null {
  const [from, to] = [faceOf(was), faceOf(made)]
  if (!isConvertible(was, made) || to === null) return null
  if ((from === to && (to === 'range' || to === 'text')) || (TIMES.includes(from) && TIMES.includes(to)))
    return filterValues
  const values = requestedValues(filterValues, from)
  const read = values?.map((value) => convertOne(value, was, made, meanings))
  if (read === undefined || read.length === 0 || read.includes(INVALID)) return null
  return heldBy(
    read.flatMap((one) => (one === INVALID ? [] : one)),
    to,
  )
}

/** The values that widgets ask for, one by one; null where they ask for what lies between two. */
function requestedValues(filterValues: readonly Json[], face: string | null): readonly Json[] | null {
  const [first = null, second = null] =
    face === 'range' ? filterValues : TIMES.includes(face) ? listOf(filterValues[0]) : filterValues
  if (face === 'range' || TIMES.includes(face)) return first === second && first !== null ? [first] : null
  return LISTS.includes(face) ? listOf(first) : [first]
}

function heldBy(values: readonly Json[], face: string): readonly Json[] | null {
  const distinct = [...new Set(values)]
  if (LISTS.includes(face)) return [distinct]
  const [only = null] = distinct
  if (distinct.length !== 1 || only === null) return null
  if (face === 'switch') return only === true ? [true] : null
  if (face === 'range') return [only, only]
  if (TIMES.includes(face)) return [[String(only).slice(0, DAY), String(only).slice(0, DAY)]]
  return [String(only)]
}

/** Letters of a day. */
const DAY = 10

/** One value that is asked for; a kind that holds several asks for each of them. */
function convertOne(
  value: Json,
  was: Field,
  made: Field,
  meanings: Meanings,
): Json | readonly Json[] | typeof INVALID {
  return convertValue(kindOf(was.kind).several === true ? [value] : value, was, made, meanings)
}

function convertRequest(request: JsonObject, turned: ConvertedField, meanings: Meanings): Part<JsonObject> {
  const { made, called } = turned
  const isIts = (one: Json): boolean => isObject(one) && one.field === called
  const filters = listOf(request.filters)
  const read = filters.flatMap((filter): readonly Json[] =>
    isObject(filter) && isIts(filter) ? convertCondition(filter, turned, meanings) : [filter],
  )
  const sort = listOf(request.sort)
  const remaining = kindOf(made.kind).sorts === true ? sort : sort.filter((one) => !isIts(one))
  return {
    is: {
      ...request,
      ...(Array.isArray(request.filters) ? { filters: read } : {}),
      ...(Array.isArray(request.sort) ? { sort: remaining } : {}),
    },
    lost: read.length < filters.length || remaining.length < sort.length,
  }
}

/** Conditions that say which rows without a value of the field. */
const VALUELESS: readonly Json[] = ['empty', 'notEmpty', 'rel']
const PIECES: readonly Json[] = ['contains', 'startsWith']

/** The condition in the other kind; nothing where it says nothing there. */
function convertCondition(
  one: JsonObject,
  { was, made }: ConvertedField,
  meanings: Meanings,
): readonly JsonObject[] {
  const { op = null, value = null } = one
  const isKnown = kindOf(made.kind).operators.some((known) => known === op)
  if (!isConvertible(was, made) || !isKnown) return []
  if (VALUELESS.includes(op) || (PIECES.includes(op) && faceOf(was) === 'text')) return [one]
  const read = (Array.isArray(value) ? value : [value]).map((each) => convertOne(each, was, made, meanings))
  if (read.length === 0 || read.includes(INVALID)) return []
  const values = read.flatMap((each) => (each === INVALID ? [] : each)) as Json[]
  if (Array.isArray(value)) return [{ ...one, value: values }]
  return values.length === 1 ? [{ ...one, value: values[0] ?? null }] : []
}
