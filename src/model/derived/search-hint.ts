import { isSearched } from '../indexed-fields.ts'
import { labelText } from '../labels.ts'
import { type MergedField, type MergedModule, madeBy } from '../merge-module.ts'
import type { DerivedWords } from './words.ts'

/**
 * What a keyword finds records by: what names them, how that is spoken, their number, and the fields that say `search`.
 * @param isPool  records that nobody holds: what their masks hold back is not found
 */
export function searchHint(
  module: Pick<MergedModule, 'label' | 'fields' | 'title' | 'number'>,
  words: DerivedWords,
  isPool = false,
): string {
  const sought = module.fields.filter(
    (field) =>
      field.name !== module.title &&
      isFound(field) &&
      !(isPool && field.mask === 'pool' && madeBy(field) === 'vendor'),
  )
  const label = labelText(module.label)
  // In a search for customers, 客户简称 is 简称: the line has little room on a phone.
  const shortLabel = (field: MergedField): string => {
    const said = labelText(field.label)
    return said.startsWith(label) && said.length >= label.length + 2 ? said.slice(label.length) : said
  }
  const isNumbered = module.number !== undefined || sought.some(({ kind }) => kind === 'auto-number')
  const title = module.fields.find(({ name }) => name === module.title)
  return hintOf([
    ...(title === undefined ? [] : [shortLabel(title)]),
    ...(isNumbered ? [words.number] : []),
    words.pinyin,
    ...(sought.some(isNumberOfPhone) ? [words.lastDigits] : []),
    ...sought.flatMap(wordsOf).map(shortLabel),
  ])
}

const isFound = (field: MergedField): boolean =>
  madeBy(field) === 'vendor' ? field.search === true && field.retired !== true : isSearched(field)

/** A phone number of the product's is found by its end. */
const isNumberOfPhone = (field: MergedField): boolean => madeBy(field) === 'vendor' && field.kind === 'phone'

/** The numbers of a record and of its phones are said already. */
function wordsOf(field: MergedField): readonly MergedField[] {
  const isNamedElsewhere =
    isNumberOfPhone(field) || (madeBy(field) === 'vendor' && field.kind === 'auto-number')
  return isNamedElsewhere ? [] : [field]
}

/** Several things in one line. */
const hintOf = (labels: readonly string[]): string => [...new Set(labels)].join('、')
