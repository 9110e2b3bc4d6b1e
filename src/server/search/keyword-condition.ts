import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../lists/filter-sql.ts'
import { foldText } from './fold-text.ts'
import { grams } from './grams.ts'
import { INITIAL_GRAM, PHONE_GRAM, PHONE_GRAM_SIZE } from './search-columns.ts'

/**
 * True for rows that can be found by a keyword: a piece of the name, pinyin from its beginning, a piece of the
 * initials, four or more digits of a phone number, or the record number from its beginning.
 *
 * @param row     alias of a table with search columns
 * @param numberColumn column of the record number, where there is one
 */
export function keywordCondition(row: string, keyword: string, numberColumn?: string): RawBuilder<boolean> {
  const folded = foldText(keyword)
  if (folded === '') return sql<boolean>`true`
  const found = [pieceOf(row, nameGrams(folded), folded)]
  if (/^[A-Z0-9]+$/.test(folded)) {
    const letters = folded.toLowerCase()
    found.push(sql<boolean>`${sql.ref(`${row}.py`)} like ${`${escapeLike(letters)}%`}`)
    if (letters.length > 1) {
      const initials = grams(letters, 2).map((gram) => INITIAL_GRAM + gram)
      found.push(pieceOf(row, initials, letters))
    }
  }
  const digits = keyword.replace(/[\s+-]/g, '')
  if (/^\d+$/.test(digits) && digits.length >= PHONE_GRAM_SIZE) {
    const pieces = grams(digits, PHONE_GRAM_SIZE).map((gram) => PHONE_GRAM + gram)
    found.push(pieceOf(row, pieces, digits))
  }
  if (numberColumn !== undefined && /^[A-Z]{1,4}\d*$/.test(folded))
    found.push(sql<boolean>`${sql.ref(`${row}.${numberColumn}`)} like ${`${folded}%`}`)
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}

function nameGrams(folded: string): readonly string[] {
  return grams(folded, Array.from(folded).length === 1 ? 1 : 2)
}

/** The index finds rows with all grams; the text then shows whether they stand together. */
function pieceOf(row: string, tokens: readonly string[], piece: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${row}.search_tokens`)} @> ${[...tokens]}::text[]
    and ${sql.ref(`${row}.search_text`)} like ${`%${escapeLike(piece)}%`})`
}
