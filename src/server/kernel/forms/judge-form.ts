import {
  CheckOverBudget,
  type CheckPlace,
  createRegistry,
  type FormState,
  failure,
  type Http,
  type Json,
  type JsonObject,
  judgeSubmission,
  type Page,
  parsePage,
  type Script,
  type ScriptReport,
} from '../../../../runtime/core/index.ts'
import { checkReads } from '../../../../runtime/core/model/check-reads.ts'
import { isTextCode, text } from '../text/text.ts'

/** A submission to be judged, in this or another thread: plain data. */
export interface FormQuestion {
  /** The ETag of the page's version. */
  readonly etag: string
  /** Path of the page, for statistics about its checks. */
  readonly path: string
  /** The page, as JSON. */
  readonly document: string
  readonly values: JsonObject
  readonly params: JsonObject
  readonly user: JsonObject
  /** The state of the form as reported by the client. */
  readonly state: FormState | null
  readonly now: number
}

/** The page's errors for a submission, by field address; or that it exceeded its budget. */
export type Judgement =
  | {
      readonly faults: Readonly<Record<string, string>>
      readonly reports: readonly ScriptReport[]
      /** Checks that the page wants but that could not be evaluated. */
      readonly unjudged: readonly string[]
      /** The page refuses a write of which a part could not be judged. */
      readonly isStrict: boolean
    }
  | { readonly over: CheckPlace }

/** Calls our own server for data that a check reads, as the caller; see {@link JudgedSubmission}. */
export type AskServer = Http['send']

/** The address of an error that belongs to no field. */
export const FORM_FAULT = 'form'

/** Time limit for all checks of one submission. */
export const TOTAL_MS = 500

const MAX_CACHED = 50
/** Maximum requests of one submission to the server. */
const MAX_REQUESTS = 20
const registry = createRegistry()
const parsed = new Map<string, Page | null>()

/** Judges a submission by all checks of its page. A page that cannot be opened has no errors. */
export async function judgeForm(
  question: FormQuestion,
  {
    onBegin,
    send,
    ...parts
  }: {
    readonly script: Script
    readonly send: AskServer
    /** The page is open; its checks start to run. */
    readonly onBegin?: () => void
    readonly leftMs?: () => number
    readonly onCheck?: (place: CheckPlace) => void
    readonly steps?: number
  },
): Promise<Judgement> {
  const page = pageOf(question)
  onBegin?.()
  if (page === null) return { faults: {}, reports: [], unjudged: [], isStrict: false }
  const reports: ScriptReport[] = []
  const { values, params, user, state, now } = question
  let requests = 0
  try {
    const { errors, unjudged } = await judgeSubmission({
      page,
      values,
      params: { ...state?.params, ...params },
      user,
      state,
      async send(request) {
        requests += 1
        if (requests > MAX_REQUESTS) return { ok: false, error: failure('NOT_A_READ', { url: request.url }) }
        return send(request)
      },
      text: (code, params) => (isTextCode(code) ? text(code, params) : code),
      now: () => now,
      onReport: (report) => reports.push(report),
      ...parts,
    })
    const faults = Object.fromEntries(errors.map(({ address, message }) => [address || FORM_FAULT, message]))
    return { faults, reports, unjudged, isStrict: page.settings.onUnjudged === 'refuse' }
  } catch (error) {
    if (error instanceof CheckOverBudget) return { over: error.place }
    throw error
  }
}

/** Steps of rules that need no thread: some milliseconds. The product's forms take a few hundred. */
const FEW_STEPS = 10_000
/** A page with more characters is parsed in a thread, one with more nodes judged there. */
const MAX_INLINE_CHARACTERS = 200_000
const MAX_NODES = 300
/** More than human-made forms contain: values, including those in rows of sub-forms, and characters of all texts. */
const MAX_VALUES = 500
const MAX_CHARACTERS = 20_000
/** ETags of pages that exceeded these limits. */
const dear = new Set<string>()

/**
 * Judges a submission in this thread if it is cheap: its page is small and has only rules, which take few steps, and little
 * was posted. Passing it to a thread and back costs more.
 *
 * @returns null if a thread has to be used
 */
export async function judgeHere(question: FormQuestion): Promise<Judgement | null> {
  const { document, etag, values, state } = question
  if (document.length > MAX_INLINE_CHARACTERS || dear.has(etag) || !isLittle([values, state as Json]))
    return null
  const page = pageOf(question)
  if (page !== null && (page.hasCode || page.nodes.size > MAX_NODES || checkReads(page).data.size > 0))
    return null
  const judgement = await judgeForm(question, { script: NO_SCRIPT, send: NOTHING, steps: FEW_STEPS })
  if (!('over' in judgement)) return judgement
  if (dear.size >= MAX_CACHED) dear.clear()
  dear.add(etag)
  return null
}

/** Stops counting the posted values as soon as they exceed the limit. */
function isLittle(posted: Json): boolean {
  let values = 0
  let characters = 0
  const isOver = (value: Json): boolean => {
    values += 1
    if (typeof value === 'string') characters += value.length
    if (values > MAX_VALUES || characters > MAX_CHARACTERS) return true
    if (value === null || typeof value !== 'object') return false
    for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isOver(inner)) return true
    return false
  }
  return !isOver(posted)
}

const never = (): never => {
  throw new Error('a page without code and sources asks for nothing')
}
const NO_SCRIPT: Script = { open: never }
const NOTHING: AskServer = never

/** Parsed pages by ETag: each published version has its own. */
function pageOf({ etag, document }: FormQuestion): Page | null {
  const known = parsed.get(etag)
  if (known !== undefined) return known
  const result = parsePage(JSON.parse(document), { registry })
  const page = result.ok ? result.page : null
  if (parsed.size >= MAX_CACHED) parsed.clear()
  parsed.set(etag, page)
  return page
}
