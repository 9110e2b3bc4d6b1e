import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import {
  FORM_STATE_HEADER,
  type FormState,
  type Json,
  type JsonObject,
  parseFormState,
  sameJson,
} from '../../../../runtime/core/index.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { Caller } from '../auth/caller.ts'
import type { ReadAs } from '../auth/inner-reads.ts'
import type { CallContext } from '../context/call-context.ts'
import type { Trx } from '../db/database.ts'
import { asPagesName, userInRules } from '../fields/record-in-rules.ts'
import type { PageLibrary } from '../pages/library.ts'
import type { PageVersion } from '../pages/page-version.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { FormQuestion, Judgement } from './judge-form.ts'
import type { Verdicts } from './verdicts.ts'

export { FORM_FAULT } from './judge-form.ts'

/**
 * Judges the fields of a write with the form page shown on its screen.
 *
 * @returns message by field address; empty if the page has no errors
 */
export type FormCheck = (values: JsonObject) => Promise<Readonly<Record<string, string>>>

/** What judging requires: the published pages, and a judge. */
export interface FormJudge {
  readonly pages: PageLibrary
  readonly verdicts: Verdicts
  readonly readAs: ReadAs
  readonly log: FastifyBaseLogger
}

/** The verdicts of one submission so far. */
export interface Judged {
  readonly pages: PageLibrary
  /** The state of the form as reported by the client. */
  readonly state: FormState | null
  /** The page requested by {@link findAhead}. */
  readonly ahead: Map<string, Promise<PageVersion | null>>
  /** @throws VerdictWanted while there is none */
  verdict(question: FormQuestion, path: string, caller: Caller): Readonly<Record<string, string>>
}

/** Thrown when a transaction needs a verdict to continue: it is rolled back, the verdict obtained, and the transaction repeated. */
class VerdictWanted extends Error {
  readonly question: FormQuestion
  readonly caller: Caller
  constructor(question: FormQuestion, caller: Caller) {
    super('a verdict of the form page is wanted')
    this.question = question
    this.caller = caller
  }
}

/** A record may be changed by others between verdict and write; then it is judged again, at most this many times. */
const TIMES = 3
/** Maximum cached addresses and versions. */
const MAX_CACHED = 500

/** The request to a page, if it is known before the write begins: a new record is judged by the posted values. */
export interface Foreseen {
  readonly formPage: string
  readonly values: JsonObject
  readonly caller: Caller
  readonly now: number
}

/**
 * Runs a write whose fields are judged by form pages, in transactions of its own. No transaction waits for a page: the first one ends where it
 * needs a verdict and leaves nothing behind, the page is evaluated outside any transaction, and the write is repeated with the result, which is valid
 * only for exactly those values. Side effects of the write must therefore be idempotent, as for an aborted transaction.
 *
 * @param state  sent by the page; null for a write without a page
 * @param foreseen  judged before the first transaction, which then finds its verdict; ignored if it no longer matches
 * @throws Refusal 400 if the checks of a page take too long, 429 if too many writes of the tenant are waiting
 */
export async function withVerdicts<T>(
  judge: FormJudge,
  state: FormState | null,
  write: (judged: Judged) => Promise<T>,
  foreseen?: Foreseen,
): Promise<T> {
  const known: { readonly question: FormQuestion; readonly judgement: Judgement }[] = []
  const judgeQuestion = async (question: FormQuestion, caller: Caller): Promise<void> => {
    const judgement = await judge.verdicts.judge(caller.tenantId, question, judge.readAs(caller))
    known.push({ question, judgement })
  }
  const judged: Judged = {
    pages: judge.pages,
    state,
    ahead: new Map(),
    verdict(question, path, caller) {
      const found = known.find((one) => isSame(one.question, question))
      if (found === undefined) throw new VerdictWanted(question, caller)
      return faultsOf(found.judgement, { path, tenantId: caller.tenantId }, judge.log)
    },
  }
  const ahead = foreseen === undefined ? null : foreseenQuestion(judge.pages, foreseen, state)
  // If it cannot be judged now, the transaction asks for the verdict itself and its caller receives the reason.
  if (foreseen !== undefined && ahead !== null)
    await judgeQuestion(ahead, foreseen.caller).catch(() => undefined)
  for (let times = 0; ; times += 1) {
    try {
      return await write(judged)
    } catch (error) {
      if (!(error instanceof VerdictWanted)) throw error
      if (times === TIMES) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
      await judgeQuestion(error.question, error.caller)
    }
  }
}

/** The form state that a page sent with a write. */
export function formStateOf({ headers }: FastifyRequest): FormState | null {
  return parseFormState(headers[FORM_STATE_HEADER.toLowerCase()])
}

/** Compares everything that a verdict depends on except the time. */
const isSame = (one: FormQuestion, other: FormQuestion): boolean =>
  one.etag === other.etag &&
  (one.user === other.user || sameJson(one.user, other.user)) &&
  sameJson(one.params, other.params) &&
  sameJson(one.values, other.values)

function faultsOf(
  judgement: Judgement,
  { path, tenantId }: { readonly path: string; readonly tenantId: string },
  log: FastifyBaseLogger,
): Readonly<Record<string, string>> {
  if ('over' in judgement) {
    const { hook, key } = judgement.over
    log.warn({ path, tenantId, hook, key }, 'the checks of a form page ran over their budget')
    return refuse(400, 'VALIDATION', text('form.over-budget'))
  }
  for (const report of judgement.reports)
    log.warn({ path, tenantId, report }, 'the code of a form page failed')
  const { faults, unjudged, isStrict } = judgement
  if (unjudged.length === 0) return faults
  log.warn({ path, tenantId, unjudged, isRefused: isStrict }, 'a part of a form page could not be judged')
  if (isStrict && Object.keys(faults).length === 0)
    refuse(400, 'VALIDATION', text('form.unjudged'), { detail: unjudged.join(', ') })
  return faults
}

/**
 * The check by the published page of a form: the tenant's own, otherwise the product's. If the tenant has no such page, or it cannot be
 * opened, there are no errors: the server's own rules still apply.
 *
 * @param formPage  route of the page; its query belongs to the page (`?module=lead`)
 */
export function validateWithPage(judged: Judged, formPage: string, ctx: CallContext): FormCheck {
  const { caller, now, trx } = ctx
  return async (values) => {
    const { path } = addressOf(formPage)
    const version = await (judged.ahead.get(path) ?? judged.pages.find(trx, caller.tenantId, path, caller))
    if (version === null) return {}
    remember(judged.pages, caller.tenantId, path, version)
    const question = questionOf(version, { formPage, values, caller, now: now.getTime() }, judged.state)
    return byOwnNames(judged.verdict(question, path, caller))
  }
}

/** Requests the page of a form together with the first statement of its write, so that judging need not wait. */
export const findAhead =
  (judged: Judged, formPage: string) =>
  (trx: Trx, caller: Caller): void => {
    const { path } = addressOf(formPage)
    const found = judged.pages.find(trx, caller.tenantId, path, caller)
    // The judge receives the error; a write that is refused earlier needs no page.
    found.catch(() => undefined)
    judged.ahead.set(path, found)
  }

interface Address {
  readonly path: string
  readonly params: JsonObject
}

/** There are few forms, and all are known in the program. */
const addresses = new Map<string, Address>()

function addressOf(formPage: string): Address {
  const known = addresses.get(formPage)
  if (known !== undefined) return known
  const [path = '', query] = formPage.split('?')
  const parsed = { path, params: Object.fromEntries(new URLSearchParams(query)) }
  if (addresses.size >= MAX_CACHED) addresses.clear()
  addresses.set(formPage, parsed)
  return parsed
}

/** What rules read about callers: one per session as long as its rights are unchanged. */
const users = new WeakMap<Caller, JsonObject>()

function userOf(caller: Caller): JsonObject {
  const known = users.get(caller)
  if (known !== undefined) return known
  const user = userInRules(caller)
  users.set(caller, user)
  return user
}

function questionOf(
  version: PageVersion,
  { formPage, values, caller, now }: Foreseen,
  state: FormState | null,
): FormQuestion {
  const { path, params } = addressOf(formPage)
  return {
    etag: version.etag,
    path,
    document: documentOf(version),
    values: { ...flatContact(values), ...values, ...asPagesName(values.ext) },
    params: typeof values.id === 'string' ? { ...params, id: values.id } : params,
    user: userOf(caller),
    state,
    now,
  }
}

/** Versions by tenant and path as the last writes found them: a guess for the next write, never the result. */
const lastFound = new WeakMap<PageLibrary, Map<string, PageVersion>>()

function remember(pages: PageLibrary, tenantId: string, path: string, version: PageVersion): void {
  const cached = lastFound.get(pages) ?? new Map<string, PageVersion>()
  lastFound.set(pages, cached)
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(`${tenantId} ${path}`, version)
}

function foreseenQuestion(
  pages: PageLibrary,
  foreseen: Foreseen,
  state: FormState | null,
): FormQuestion | null {
  const { path } = addressOf(foreseen.formPage)
  const version = lastFound.get(pages)?.get(`${foreseen.caller.tenantId} ${path}`)
  return version === undefined ? null : questionOf(version, foreseen, state)
}

/** Documents as JSON by version: a text is transferred to a thread many times faster than an object. */
const documents = new WeakMap<PageVersion, string>()

function documentOf(version: PageVersion): string {
  const known = documents.get(version)
  if (known !== undefined) return known
  const json = JSON.stringify(version.document)
  documents.set(version, json)
  return json
}

/** The quick form has separate fields for one contact; a write carries it in `contacts`. */
function flatContact(values: JsonObject): JsonObject {
  const contacts: readonly Json[] = Array.isArray(values.contacts) ? values.contacts : []
  const [first] = contacts as readonly JsonObject[]
  return { contact_name: first?.name ?? null, contact_mobile: first?.mobile ?? null }
}

const OWN = ownName('')

/** Errors of the tenant's own fields under their names on the wire: `ext.<name>`. */
function byOwnNames(faults: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(faults).map(([address, message]) => [
      address.startsWith(OWN) ? `ext.${address.slice(OWN.length)}` : address,
      message,
    ]),
  )
}
