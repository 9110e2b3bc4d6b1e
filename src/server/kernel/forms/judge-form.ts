import {
  CheckOverBudget,
  type CheckPlace,
  createRegistry,
  type FormState,
  failure,
  type Http,
  type JsonObject,
  judgeSubmission,
  type Page,
  parsePage,
  type Script,
  type ScriptReport,
} from '../../../../runtime/core/index.ts'
import { isTextCode, text } from '../text/text.ts'

/** A submission as it is judged, wherever that is: plain data. */
export interface FormQuestion {
  /** Of the page's version. */
  readonly etag: string
  /** Where the page is, for who reads what became of its checks. */
  readonly path: string
  /** The page, as JSON. */
  readonly document: string
  readonly values: JsonObject
  readonly params: JsonObject
  readonly user: JsonObject
  /** What the client says the form was filled in with. */
  readonly state: FormState | null
  readonly now: number
}

/** What the page has against a submission, by field address; or where it ran over its budget. */
export type Judgement =
  | {
      readonly faults: Readonly<Record<string, string>>
      readonly reports: readonly ScriptReport[]
      /** What had no say although the page wants it to. */
      readonly unjudged: readonly string[]
      /** The page refuses a write of which a part was not judged. */
      readonly isStrict: boolean
    }
  | { readonly over: CheckPlace }

/** Asks our own server for what a check reads, as the caller; see {@link JudgedSubmission}. */
export type AskServer = Http['send']

/** Where a fault stands that belongs to no field. */
export const FORM_FAULT = 'form'

/** All checks of one submission take no longer. */
export const TOTAL_MS = 500

const KEPT_MOST = 50
/** Questions of one submission to the server. */
const ASKED_MOST = 20
const registry = createRegistry()
const parsed = new Map<string, Page | null>()

/** Judges a submission by all checks of its page. A page that cannot be opened has nothing against it. */
export async function judgeForm(
  question: FormQuestion,
  {
    onBegin,
    send,
    ...parts
  }: {
    readonly script: Script
    readonly send: AskServer
    /** The page is there; from now on its checks run. */
    readonly onBegin?: () => void
    readonly leftMs?: () => number
    readonly onCheck?: (place: CheckPlace) => void
  },
): Promise<Judgement> {
  const page = pageOf(question)
  onBegin?.()
  if (page === null) return { faults: {}, reports: [], unjudged: [], isStrict: false }
  const reports: ScriptReport[] = []
  const { values, params, user, state, now } = question
  let asked = 0
  try {
    const { errors, unjudged } = await judgeSubmission({
      page,
      values,
      params: { ...state?.params, ...params },
      user,
      state,
      async send(request) {
        asked += 1
        if (asked > ASKED_MOST) return { ok: false, error: failure('NOT_A_READ', { url: request.url }) }
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

/** Parsed pages by ETag: a publish makes a new one. */
function pageOf({ etag, document }: FormQuestion): Page | null {
  const known = parsed.get(etag)
  if (known !== undefined) return known
  const result = parsePage(JSON.parse(document), { registry })
  const page = result.ok ? result.page : null
  if (parsed.size >= KEPT_MOST) parsed.clear()
  parsed.set(etag, page)
  return page
}
