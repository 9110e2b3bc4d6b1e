import { allOf } from './all-of.ts'
import type { Env } from './place.ts'
import { readInteger } from './read-integer.ts'

/** For how many days accumulating rows are kept; 0: without limit. */
export interface Retention {
  /** Sign-ins, refusals, searches of numbers, file downloads. */
  readonly log: number
  /** History of records: who changed them, who owned them. */
  readonly history: number
  readonly messages: number
  /** Lines of finished imports, exports and transfers. */
  readonly work: number
  /** Uploads that no record refers to. */
  readonly uploads: number
}

/** Daily limits are counted from the log; laws require half a year of it. */
const MIN_LOG_DAYS = 180
/** Statistics of a year read owners and changes. */
const MIN_HISTORY_DAYS = 400
/** Unsent forms wait on phones with the files uploaded for them. */
const MIN_UPLOAD_DAYS = 30
const MAX_DAYS = 36_500

/** @throws Error with a sentence for the operator */
export function readRetention(env: Env): Retention {
  return allOf<Retention>({
    log: () => daysOf(env, 'KEEP_LOG_DAYS', MIN_LOG_DAYS, 1095),
    history: () => daysOf(env, 'KEEP_HISTORY_DAYS', MIN_HISTORY_DAYS, 0),
    messages: () => daysOf(env, 'KEEP_MESSAGE_DAYS', 7, 180),
    work: () => daysOf(env, 'KEEP_WORK_DAYS', 7, 180),
    uploads: () => daysOf(env, 'KEEP_UPLOAD_DAYS', MIN_UPLOAD_DAYS, 90),
  })
}

function daysOf(env: Env, name: string, least: number, otherwise: number): number {
  const days = readInteger(env, name, { least: 0, most: MAX_DAYS, otherwise })
  if (days !== 0 && days < least)
    throw new Error(`${name} is 0 (for ever) or from ${least} to ${MAX_DAYS}, not ${days}`)
  return days
}
