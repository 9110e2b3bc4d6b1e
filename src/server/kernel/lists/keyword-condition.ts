import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { NEVER_PREPARED } from '../db/prepared.ts'
import { foldText, halfWidth } from '../words/fold-text.ts'
import { grams } from '../words/grams.ts'
import { INITIAL_GRAM, PHONE_GRAM, PHONE_GRAM_SIZE } from '../words/search-columns.ts'
import { spelledPlaces } from '../words/spelled-places.ts'
import { escapeLike } from './filter-sql.ts'

/**
 * True for rows that a keyword finds: a part of the name, the beginning of its pinyin with or without the place before it, a part of the
 * initials, four or more digits of a phone number, or the beginning of the record number.
 *
 * @param row     alias of a table with search columns
 * @param numberColumn column of the record number, if there is one
 * @param pieces  rows whose phone numbers may be found by a part; the others only by the complete number, so that nobody
 * can reconstruct a masked one by searching for its parts. Absent: all; `none`: not by phone number
 */
export function keywordCondition(
  row: string,
  keyword: string,
  numberColumn?: string,
  pieces?: RawBuilder<boolean> | 'none',
): RawBuilder<boolean> {
  const folded = foldText(keyword)
  if (folded === '') return sql<boolean>`true`
  const found = [pieceOf(row, nameGrams(folded), folded)]
  if (/^[A-Z0-9]+$/.test(folded)) {
    const letters = folded.toLowerCase()
    const begins = (py: string) => sql<boolean>`starts_with(${sql.ref(`${row}.py`)}, ${py})`
    found.push(begins(letters))
    for (const { places, rest } of spelledPlaces(letters)) {
      const named = places.map((place) => pieceOf(row, nameGrams(place), place))
      found.push(sql<boolean>`(${sql.join([...named, ...(rest === '' ? [] : [begins(rest)])], sql` and `)})`)
    }
    if (letters.length > 1) {
      const initials = grams(letters, 2).map((gram) => INITIAL_GRAM + gram)
      found.push(pieceOf(row, initials, letters))
    }
  }
  const digits = digitsIn(keyword)
  if (pieces !== 'none' && digits !== null && digits.length >= PHONE_GRAM_SIZE) {
    const numbers = grams(digits, PHONE_GRAM_SIZE).map((gram) => PHONE_GRAM + gram)
    const piece = pieceOf(row, numbers, digits)
    found.push(pieces === undefined ? piece : sql<boolean>`(${pieces} and ${piece})`)
    if (pieces !== undefined && digits.length >= WHOLE_NUMBER)
      found.push(sql<boolean>`${sql.ref(`${row}.mobile_norm`)} @> ${[digits]}::text[]`)
  }
  if (numberColumn !== undefined && /^[A-Z]{1,4}\d*$/.test(folded))
    found.push(sql<boolean>`starts_with(${sql.ref(`${row}.${numberColumn}`)} collate "C", ${folded})`)
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}

/** Number of digits from which only somebody who knows a number can enter it. */
const WHOLE_NUMBER = 7

/** Whether a number begins with the keyword, whatever its case and width. */
export const beginsWith = (number: RawBuilder<unknown>, keyword: string): RawBuilder<boolean> =>
  sql<boolean>`starts_with(upper(${number}), ${halfWidth(keyword).toUpperCase()})`

/** A keyword as phone numbers are stored, if it is one. */
export const digitsOf = (keyword: string): string => halfWidth(keyword).replace(/[\s+-]/g, '')

const digitsIn = (keyword: string): string | null => {
  const digits = digitsOf(keyword)
  return /^\d+$/.test(digits) ? digits : null
}

/** The complete phone number in a keyword; null for any other keyword. */
export function completeNumberIn(keyword: string): string | null {
  const digits = digitsIn(keyword)
  return digits !== null && digits.length >= WHOLE_NUMBER ? digits : null
}

/**
 * Rows whose phone numbers the caller sees in full: not masked by their role, and not in a pool.
 *
 * @param ownerRow  alias of the row that has the owner; without it the query itself ensures this
 */
export function clearPhones(
  caller: Caller,
  entity: 'customer' | 'contact' | 'lead',
  ownerRow?: string,
): RawBuilder<boolean> {
  if (!isClear(caller, entity, 'mobile') || !isClear(caller, entity, 'telephone')) return sql<boolean>`false`
  return ownerRow === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${ownerRow}.owner_id`)} is not null`
}

function nameGrams(folded: string): readonly string[] {
  return grams(folded, Array.from(folded).length === 1 ? 1 : 2)
}

/**
 * The index finds rows with all grams; the text shows whether they are adjacent, and for a single row it is checked first because it is shorter. A
 * keyword may match one row in a thousand or every second one, so each is planned separately.
 */
function pieceOf(row: string, tokens: readonly string[], piece: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${row}.search_text`)} like ${`%${escapeLike(piece)}%`}
    and ${sql.ref(`${row}.search_tokens`)} @> ${[...tokens]}::text[] ${sql.raw(NEVER_PREPARED)})`
}
