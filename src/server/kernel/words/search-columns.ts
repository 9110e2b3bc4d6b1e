import { foldText } from './fold-text.ts'
import { grams } from './grams.ts'
import { normaliseName } from './normalise-name.ts'
import { normalisePhones } from './normalise-phone.ts'
import { readingOf } from './pinyin.ts'

/** The values by which a record can be found. */
export interface Findable {
  readonly kind: 'company' | 'person'
  readonly name: string
  readonly shortName?: string | null | undefined
  readonly number?: string | null | undefined
  readonly phones: readonly (string | null | undefined)[]
}

/** Columns that the server computes on every write (DOMAIN 0.11). */
export interface SearchColumns {
  name_norm: string
  search_text: string
  search_tokens: string[]
  py: string
  py_initial: string
  mobile_norm: string[]
}

/** Prefixes for grams of phone digits and of pinyin initials, so that they never equal grams of names. */
export const PHONE_GRAM = '#'
export const INITIAL_GRAM = '@'
export const PHONE_GRAM_SIZE = 4

const marked = (mark: string, texts: readonly string[]) => texts.map((text) => mark + text)

/** Computes the search columns of a record, which {@link keywordCondition} reads. */
export function searchColumns(record: Findable): SearchColumns {
  const name_norm = normaliseName(record.name)
  const phones = normalisePhones(record.phones)
  const names = [foldText(record.name), foldText(record.shortName ?? ''), name_norm]
  const [norm, folded] = [name_norm.toLowerCase(), foldText(record.name).toLowerCase()]
  const reading = readingOf(norm, record.kind)
  const allInitials = norm === folded ? reading.py_initial : readingOf(folded, record.kind).py_initial
  const tokens = [
    ...names.flatMap((name) => [...grams(name, 1), ...grams(name, 2)]),
    ...phones.flatMap((phone) => marked(PHONE_GRAM, grams(phone, PHONE_GRAM_SIZE))),
    ...marked(INITIAL_GRAM, [...grams(reading.py_initial, 2), ...grams(allInitials, 2)]),
  ]
  return {
    name_norm,
    search_text: [
      ...new Set([...names, reading.py, allInitials, foldText(record.number ?? ''), ...phones]),
    ].join('|'),
    search_tokens: [...new Set(tokens)],
    ...reading,
    mobile_norm: phones,
  }
}
