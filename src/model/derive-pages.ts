import type { JsonObject } from '../../runtime/core/json.ts'
import { convertChoices } from './derived/convert.ts'
import { detailPage } from './derived/detail.ts'
import { formPage } from './derived/form.ts'
import { listPage } from './derived/list.ts'
import type { DerivedPage } from './derived/parts.ts'
import { poolPage } from './derived/pool.ts'
import { printPage } from './derived/print.ts'
import type { DerivedWords } from './derived/words.ts'
import type { Inverse } from './inverse.ts'
import type { MergedModule } from './merge-module.ts'
import type { IsOwn } from './page-parts.ts'

export { DERIVED_PAGES, type DerivedPage } from './derived/parts.ts'
export type { DerivedWords } from './derived/words.ts'

/** Only what is worth something is printed, and only what lies in pools has a page of them. */
export function hasPage(
  page: DerivedPage,
  { amount, behaviours }: Pick<MergedModule, 'amount' | 'behaviours'>,
): boolean {
  if (page === 'pool') return behaviours.includes('pool')
  return page !== 'print' || amount !== undefined
}

/** What a derived page knows of other modules. */
export interface OtherModules {
  readonly isOwn: IsOwn
  /** Its records are made of others. */
  readonly isMade?: boolean
  /** What names its records. */
  readonly inverses?: readonly Inverse[]
  /** Modules by name. */
  readonly others?: ReadonlyMap<string, MergedModule>
}

/** The page of a module of a tenant's own. "Customise" writes it out as an ordinary page. */
export function derivePage(
  page: DerivedPage,
  module: MergedModule,
  words: DerivedWords,
  { isOwn, isMade = false, inverses = [], others = new Map() }: OtherModules,
): JsonObject {
  if (page === 'index') return listPage(module, words, isOwn)
  if (page === 'print') return printPage(module, words)
  if (page === 'pool') return poolPage(module, words, isOwn)
  if (page === 'add') return formPage(module, words, { isOwn, isMade, others })
  const converts = convertChoices(module, words, others, isOwn)
  return detailPage(module, words, { inverses, converts, isLinked: isMade || converts.length > 0, others })
}
