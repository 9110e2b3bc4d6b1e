import { allOf } from './all-of.ts'
import type { Env } from './place.ts'
import { wholeOf } from './whole.ts'

/** How many days rows are kept that would otherwise pile up; 0: for ever. */
export interface Keeping {
  /** Who signed in, was refused, looked for a number, fetched a file. */
  readonly log: number
  /** What became of records: who changed them, who had them. */
  readonly history: number
  readonly messages: number
  /** Lines of imports, exports and transfers that are over. */
  readonly work: number
  /** Uploads that nobody names. */
  readonly uploads: number
}

/** Limits by the day count on the log, laws on half a year of it. */
const LOG_LEAST = 180
/** Numbers of a year look into owners and changes. */
const HISTORY_LEAST = 400
/** Forms that are not sent yet wait on phones with what was uploaded for them. */
const UPLOAD_LEAST = 30
const MOST = 36_500

/** @throws Error with a sentence for the operator */
export function readKeeping(env: Env): Keeping {
  return allOf<Keeping>({
    log: () => daysOf(env, 'KEEP_LOG_DAYS', LOG_LEAST, 1095),
    history: () => daysOf(env, 'KEEP_HISTORY_DAYS', HISTORY_LEAST, 0),
    messages: () => daysOf(env, 'KEEP_MESSAGE_DAYS', 7, 180),
    work: () => daysOf(env, 'KEEP_WORK_DAYS', 7, 180),
    uploads: () => daysOf(env, 'KEEP_UPLOAD_DAYS', UPLOAD_LEAST, 90),
  })
}

function daysOf(env: Env, name: string, least: number, otherwise: number): number {
  const days = wholeOf(env, name, { least: 0, most: MOST, otherwise })
  if (days !== 0 && days < least)
    throw new Error(`${name} is 0 (for ever) or from ${least} to ${MOST}, not ${days}`)
  return days
}
