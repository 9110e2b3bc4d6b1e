import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import {
  FORM_STATE_HEADER,
  type FormState,
  type Json,
  type JsonObject,
  parseFormState,
} from '../../../../runtime/core/index.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { Asking } from '../asking/asking.ts'
import type { Caller } from '../auth/caller.ts'
import type { ReadAs } from '../auth/inner-reads.ts'
import { asPagesName, userInRules } from '../fields/record-in-rules.ts'
import type { PageLibrary } from '../pages/library.ts'
import type { PageVersion } from '../pages/page-version.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { FormQuestion, Judgement } from './judge-form.ts'
import type { Verdicts } from './verdicts.ts'

export { FORM_FAULT } from './judge-form.ts'

/**
 * Judges the fields of a write with the form page its screen shows.
 * @returns message by field address; empty when the page has nothing against it
 */
export type FormCheck = (values: JsonObject) => Promise<Readonly<Record<string, string>>>

/** What judging takes: the published pages, and who judges. */
export interface FormJudge {
  readonly pages: PageLibrary
  readonly verdicts: Verdicts
  readonly readAs: ReadAs
  readonly log: FastifyBaseLogger
}

/** The verdicts of one submission so far. */
export interface Judged {
  readonly pages: PageLibrary
  /** What the client says the form was filled in with. */
  readonly state: FormState | null
  /** @throws VerdictWanted while there is none */
  verdict(question: FormQuestion, path: string, caller: Caller): Readonly<Record<string, string>>
}

/** A transaction needs a verdict to go on: it is taken back, the verdict found, and then it is done again. */
class VerdictWanted extends Error {
  readonly question: FormQuestion
  readonly path: string
  readonly caller: Caller
  constructor(question: FormQuestion, path: string, caller: Caller) {
    super('a verdict of the form page is wanted')
    this.question = question
    this.path = path
    this.caller = caller
  }
}

/** A record may be changed by others between verdict and write; then it is judged again, so often. */
const TIMES = 3

/**
 * Runs a write, in transactions of its own, whose fields form pages judge. No transaction waits for a page: the first one ends where it
 * needs a verdict and leaves nothing, the page is asked outside of any, and the write is done anew with its answer, which holds for
 * exactly those values. What the write changes outside it must therefore set, not add, as for a transaction that was broken off.
 *
 * @param state  as the page sent it along; null for a write that no page made
 * @throws Refusal 400 when the checks of a page take too long, 429 when too many of the tenant wait for theirs
 */
export async function withVerdicts<T>(
  judge: FormJudge,
  state: FormState | null,
  write: (judged: Judged) => Promise<T>,
): Promise<T> {
  const known = new Map<string, Readonly<Record<string, string>>>()
  const judged: Judged = {
    pages: judge.pages,
    state,
    verdict(question, path, caller) {
      const faults = known.get(keyOf(question))
      if (faults === undefined) throw new VerdictWanted(question, path, caller)
      return faults
    },
  }
  for (let times = 0; ; times += 1) {
    try {
      return await write(judged)
    } catch (error) {
      if (!(error instanceof VerdictWanted)) throw error
      if (times === TIMES) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
      const { question, caller } = error
      const judgement = await judge.verdicts.judge(caller.tenantId, question, judge.readAs(caller))
      known.set(keyOf(question), faultsOf(judgement, error, judge.log))
    }
  }
}

/** What a page sent along with a write. */
export function formStateOf({ headers }: FastifyRequest): FormState | null {
  return parseFormState(headers[FORM_STATE_HEADER.toLowerCase()])
}

/** All that a verdict depends on but the time. */
const keyOf = ({ etag, values, params, user }: FormQuestion): string =>
  JSON.stringify([etag, values, params, user])

function faultsOf(
  judgement: Judgement,
  { path, caller: { tenantId } }: VerdictWanted,
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
 * The check by the published page of a form: the tenant's own, otherwise the product's. A tenant without the page, or a page that
 * cannot be opened, has nothing against a write: the server's own rules still hold.
 *
 * @param formPage  route of the page; parameters behind it are the page's (`?module=lead`)
 */
export function validateWithPage(judged: Judged, formPage: string, asking: Asking): FormCheck {
  const [path = '', query] = formPage.split('?')
  const params = Object.fromEntries(new URLSearchParams(query))
  return async (values) => {
    const { tenantId } = asking.caller
    const version = await judged.pages.find(asking.trx, tenantId, path)
    if (version === null) return {}
    const question = {
      etag: version.etag,
      document: documentOf(version),
      values: { ...flatContact(values), ...values, ...asPagesName(values.ext) },
      params: typeof values.id === 'string' ? { ...params, id: values.id } : params,
      user: userInRules(asking.caller),
      state: judged.state,
      now: asking.now.getTime(),
    }
    return byOwnNames(judged.verdict(question, path, asking.caller))
  }
}

/** Documents as JSON by version: a text crosses to a thread many times faster than what it stands for. */
const documents = new WeakMap<PageVersion, string>()

function documentOf(version: PageVersion): string {
  const known = documents.get(version)
  if (known !== undefined) return known
  const made = JSON.stringify(version.document)
  documents.set(version, made)
  return made
}

/** The quick form asks for one contact in fields of its own; a write carries it in `contacts`. */
function flatContact(values: JsonObject): JsonObject {
  const contacts: readonly Json[] = Array.isArray(values.contacts) ? values.contacts : []
  const [first] = contacts as readonly JsonObject[]
  return { contact_name: first?.name ?? null, contact_mobile: first?.mobile ?? null }
}

const OWN = ownName('')

/** Faults of the tenant's own fields as the wire names them: `ext.<name>`. */
function byOwnNames(faults: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(faults).map(([address, message]) => [
      address.startsWith(OWN) ? `ext.${address.slice(OWN.length)}` : address,
      message,
    ]),
  )
}
