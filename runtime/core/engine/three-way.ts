import { type Json, sameJson } from '../json.ts'

/** What becomes of a value of a record that two people edited: mine stays, theirs is taken over, or the user is asked. */
export type Fate = 'keep' | 'take' | 'ask'

/**
 * Only a value that both changed, and differently, is a question. One that is not filled in is the same however that is written: absent, null, an
 * empty text or list, a switch that is off.
 *
 * @param base  the value with which the form was opened
 */
export function fateOf(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Fate {
  const [was, here, there] = [plain(base), plain(mine), plain(theirs)]
  if (sameJson(there, here) || sameJson(there, was)) return 'keep'
  return sameJson(here, was) ? 'take' : 'ask'
}

/** The value without its empty parts, lists by position; null if nothing else is in it. */
function plain(value: Json | undefined): Json {
  if (typeof value !== 'object') return value || value === 0 ? value : null
  const parts = Object.entries(value ?? {}).flatMap(([name, given]) => {
    const part = plain(given)
    return part === null ? [] : [[name, part]]
  })
  return parts.length > 0 ? Object.fromEntries(parts) : null
}
