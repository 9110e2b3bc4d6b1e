import {
  CheckOverBudget,
  type CheckPlace,
  createRegistry,
  type JsonObject,
  type Page,
  parsePage,
  type Script,
  type ScriptReport,
  validateWithScripts,
} from '../../../runtime/core/index.ts'
import { isTextCode, text } from '../text.ts'

/** A submission as it is judged, wherever that is: plain data. */
export interface FormQuestion {
  /** Of the page's version. */
  readonly etag: string
  /** The page, as JSON. */
  readonly document: string
  readonly values: JsonObject
  readonly params: JsonObject
  readonly user: JsonObject
  readonly now: number
}

/** What the page has against a submission, by field address; or where it ran over its budget. */
export type Judgement =
  | { readonly faults: Readonly<Record<string, string>>; readonly reports: readonly ScriptReport[] }
  | { readonly over: CheckPlace }

/** Where a fault stands that belongs to no field. */
export const FORM_FAULT = 'form'

/** All checks of one submission take no longer. */
export const TOTAL_MS = 500

const KEPT_MOST = 50
const registry = createRegistry()
const parsed = new Map<string, Page | null>()

/** Judges a submission by all checks of its page. A page that cannot be opened has nothing against it. */
export async function judgeForm(
  question: FormQuestion,
  {
    onBegin,
    ...parts
  }: {
    readonly script: Script
    /** The page is there; from now on its checks run. */
    readonly onBegin?: () => void
    readonly leftMs?: () => number
    readonly onCheck?: (place: CheckPlace) => void
  },
): Promise<Judgement> {
  const page = pageOf(question)
  onBegin?.()
  if (page === null) return { faults: {}, reports: [] }
  const reports: ScriptReport[] = []
  const { values, params, user, now } = question
  try {
    const errors = await validateWithScripts({
      page,
      values,
      params,
      user,
      text: (code, params) => (isTextCode(code) ? text(code, params) : code),
      now: () => now,
      onReport: (report) => reports.push(report),
      ...parts,
    })
    const faults = Object.fromEntries(errors.map(({ address, message }) => [address || FORM_FAULT, message]))
    return { faults, reports }
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
