import type { JsonObject } from '../../../runtime/core/json.ts'
import { variable } from '../page-parts.ts'
import type { DerivedWords } from './words.ts'

/** The chosen rows of a list, in a body. */
export const IDS = '{{ data.picked | label:id }}'
/** Whether some of them were not done. */
export const HAS_FAILED: JsonObject = { '!!': { var: 'result.failed.0' } }

/** A call on several records, sent once. */
export const manySource = (uniqueName: string, requestURL: string, body: JsonObject): JsonObject => ({
  uniqueName,
  requestURL,
  requestMethod: 'post',
  data: [variable('clientToken', 'DSV.clientToken')],
  body,
})

/** What follows a call on several records: a word where it did all of them, or the sheet `resultSheet` with those it did not. */
export const afterMany = (
  words: DerivedWords,
  before: readonly JsonObject[] = [],
  done: JsonObject = { do: 'toast', text: words.manyDone, icon: 'success' },
): readonly JsonObject[] => [
  ...before,
  { do: 'set', data: 'result', value: '{{ result }}' },
  { do: 'set', data: 'picked', value: null },
  {
    do: 'when',
    if: HAS_FAILED,
    then: [{ do: 'openSheet', name: 'resultSheet' }],
    else: [done],
  },
  { do: 'refresh' },
]
