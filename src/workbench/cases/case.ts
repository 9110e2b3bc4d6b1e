import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'

/** The first key of a case file, and its format version. */
const FORMAT = 'vform-case'
const VERSION = 1
/** Maximum size of a page visit. */
const MAX_CHARACTERS = 8_000_000

/** An action of a user or of the shell: a method of the engine with its arguments. */
export interface Act {
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly does: string
  readonly args: readonly Json[]
}

/** An answer of the server, and its time. */
export interface HostAnswer {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly body: Json
  /** The outcome as returned by the port, without headers. */
  readonly outcome: Json
}

/** The comparable state of a page: its values, and the unusual states of widgets. */
export interface PageState {
  readonly form: Json
  readonly widgets: Readonly<Record<string, JsonObject>>
}

/** A recorded page visit: replaying its actions and answers must lead to the same state. */
export interface CaseFile {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly page: { readonly path: string; readonly document: JsonObject }
  /** The inputs of the page when it was opened; `now` is the device's clock. */
  readonly state: { readonly now: number; readonly options: JsonObject }
  readonly acts: readonly Act[]
  readonly answers: readonly HostAnswer[]
  /** Answers to questions, in order. */
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
  if (written.length > MAX_CHARACTERS) return null
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
