import { isSearched } from '../indexed-fields.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import type { DerivedWords } from './words.ts'

/** What a keyword finds records of an own module by: what names them, how that is spoken, their number, and the texts that say `search`. */
export function searchHint(module: MergedModule, words: DerivedWords): string {
  const title = module.fields.find(({ name }) => name === module.title)
  return hintOf([
    ...(title === undefined ? [] : [labelText(title.label)]),
    ...(module.number === undefined ? [] : [words.number]),
    words.pinyin,
    ...module.fields.filter((one) => one !== title && isSearched(one)).map(({ label }) => labelText(label)),
  ])
}

/** Several things in one line. */
export const hintOf = (labels: readonly string[]): string => [...new Set(labels)].join('、')
