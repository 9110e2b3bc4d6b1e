import type { JsonObject } from '../../../runtime/core/json.ts'
import type { DerivedWords } from './words.ts'

/** The inputs of the sheet, which are empty when it opens. */
const INPUTS = ['releaseReason', 'releasePool', 'releaseRemark'] as const

/** What a page sets when it is loaded, for the sheet that asks for a reason. */
export const releaseWords = (words: DerivedWords): readonly JsonObject[] => [
  { do: 'set', data: 'releaseTitle', value: words.release },
  { do: 'set', data: 'poolWord', value: words.choosePool },
]

export const openRelease: readonly JsonObject[] = [
  ...INPUTS.map((field) => ({ do: 'set', field, value: null })),
  { do: 'set', data: 'sheet', value: 'release' },
  { do: 'openSheet', name: 'releaseSheet' },
]

/** The sheet by which records are put into a pool. @param ids  of the records, in its call */
export const releaseSheet = (name: string, ids: JsonObject[string]): JsonObject => ({
  fragment: 'sheet/release',
  with: { module: `m/${name}`, ids },
})
