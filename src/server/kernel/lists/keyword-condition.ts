import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { PLANNED_EACH_TIME } from '../db/prepared.ts'
import { foldText } from '../words/fold-text.ts'
import { grams } from '../words/grams.ts'
import { INITIAL_GRAM, PHONE_GRAM, PHONE_GRAM_SIZE } from '../words/search-columns.ts'
import { escapeLike } from './filter-sql.ts'

/**
 * True for rows that can be found by a keyword: a piece of the name, pinyin from its beginning, a piece of the
 * initials, four or more digits of a phone number, or the record number from its beginning.
 *
 * @param row     alias of a table with search columns
 * @param numberColumn column of the record number, where there is one
 * @param pieces  rows whose phone numbers may be found by a piece; the others only by a whole number, so that nobody
 *   finds out a masked one by asking for its pieces. Absent: all; `none`: by no number at all
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
    found.push(sql<boolean>`starts_with(${sql.ref(`${row}.py`)}, ${letters})`)
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

/** Digits from which a number can only be known by somebody who knows it. */
const WHOLE_NUMBER = 7

const digitsIn = (keyword: string): string | null => {
  const digits = keyword.replace(/[\s+-]/g, '')
  return /^\d+$/.test(digits) ? digits : null
}

/** The whole phone number a keyword is; null for any other keyword. */
export function wholeNumberIn(keyword: string): string | null {
  const digits = digitsIn(keyword)
  return digits !== null && digits.length >= WHOLE_NUMBER ? digits : null
}

/**
 * Rows whose phone numbers this caller sees in full: not masked by their role, and in nobody's pool.
 * @param ownerRow  alias of the row that has the owner; without it the query itself sees to that
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
 * The index finds rows with all grams; the text shows whether they stand together, and of a single row it is read first, being shorter. A
 * keyword finds one row in a thousand or every second one: each is planned for.
 */
function pieceOf(row: string, tokens: readonly string[], piece: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${row}.search_text`)} like ${`%${escapeLike(piece)}%`}
    and ${sql.ref(`${row}.search_tokens`)} @> ${[...tokens]}::text[] ${sql.raw(PLANNED_EACH_TIME)})`
}
