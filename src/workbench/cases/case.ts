import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'

/** What a case file is called by its first key, and the shape it has. */
const FORMAT = 'vform-case'
const VERSION = 1
/** Beyond that it is no visit of a page. */
const MOST_CHARACTERS = 8_000_000

/** An act of a user or of the shell: a method of the engine with its arguments. */
export interface Act {
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly does: string
  readonly args: readonly Json[]
}

/** What the server said, and when. */
export interface HostAnswer {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly body: Json
  /** The outcome as the port gives it, headers left out. */
  readonly outcome: Json
}

/** What can be compared of a page: its values, and of each widget what is not as usual. */
export interface PageState {
  readonly form: Json
  readonly widgets: Readonly<Record<string, JsonObject>>
}

/** A visit of a page as one file: it is opened, acted on and answered again, and must end the same. */
export interface CaseFile {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly page: { readonly path: string; readonly document: JsonObject }
  /** What the page was opened with; `now` is the device's clock. */
  readonly state: { readonly now: number; readonly options: JsonObject }
  readonly acts: readonly Act[]
  readonly answers: readonly HostAnswer[]
  /** What people answered to questions, in order. */
  readonly said: readonly Json[]
  readonly ids: readonly string[]
  readonly after: { readonly at: number; readonly state: PageState }
}

export const caseOf = (content: Omit<CaseFile, 'format' | 'version'>): CaseFile => ({
  format: FORMAT,
  version: VERSION,
  ...content,
})

/** Reads a case file; null for anything else. */
export function readCase(written: string): CaseFile | null {
  if (written.length > MOST_CHARACTERS) return null
  const given = parsed(written)
  if (!isObject(given) || given.format !== FORMAT || given.version !== VERSION) return null
  const { page, state, acts, answers, said, ids, after } = given
  const isWhole =
    isObject(page) &&
    isObject(page.document) &&
    isObject(state) &&
    isObject(state.options) &&
    [acts, answers, said, ids].every(Array.isArray) &&
    isObject(after) &&
    isObject(after.state)
  return isWhole ? (given as unknown as CaseFile) : null
}

function parsed(written: string): Json {
  try {
    return JSON.parse(written) as Json
  } catch {
    return null
  }
}
