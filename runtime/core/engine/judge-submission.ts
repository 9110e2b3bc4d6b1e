import { createBudget, isOver, spending } from '../budget.ts'
import { hasCode } from '../hooks/hook-code.ts'
import type { Json } from '../json.ts'
import { checkFields, checkKey, type FieldError } from '../model/check-fields.ts'
import { checkReads } from '../model/check-reads.ts'
import { type FormState, formStateWrites, isCalledByServer } from '../model/form-state.ts'
import type { Model } from '../model/model.ts'
import { type Submission, submittedModel } from '../model/submitted-model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Http, Outcome, Script, ScriptReport } from '../ports.ts'
import { fieldVerdict, formVerdict } from './script-verdict.ts'
import { openSubmission, type SubmissionLink } from './submission-link.ts'

/** A submission, where its page's code runs, and how its sources are called. */
export interface JudgedSubmission extends Submission {
  readonly script: Script
  /** Makes the requests of the page: reads of our own server, as the caller. Any other request fails with `NOT_A_READ`. */
  readonly send: Http['send']
  /** The state of the form as reported by the client; null if none was reported. */
  readonly state: FormState | null
  /** Called for errors in the page's code. */
  readonly onReport?: (report: ScriptReport) => void
  /** Called before each check. */
  readonly onCheck?: (check: CheckPlace) => void
  /** The remaining milliseconds, read before each check; default: no limit. */
  readonly leftMs?: () => number
  /** Maximum steps of its rules; default: those of a turn. */
  readonly steps?: number
}

/** A check of a page: the hook (`rules` for everything that is not code, `data` for the data these read) and the node it belongs to. */
export interface CheckPlace {
  readonly hook: string
  readonly key: NodeKey
}

/** A submission whose checks exceed their limits: there is no verdict. */
export class CheckOverBudget extends Error {
  readonly place: CheckPlace
  constructor(place: CheckPlace) {
    super(`the checks of the page take too long, at ${place.hook} ${place.key}`)
    this.place = place
  }
}

/** The errors of a submission according to the page. */
export interface SubmissionVerdict {
  readonly errors: readonly FieldError[]
  /** Inputs of the checks that were unavailable, so that the checks had no effect. `data.limit`, `onValidate amount: confirm`. */
  readonly unjudged: readonly string[]
}

/** Maximum depth of automatic sources that depend on each other. */
const MAX_DEPTH = 5

/**
 * Judges posted values as the page itself would. Data that its rules read below `data` comes from the sources or from the
 * state that was sent along; then the rules are evaluated, then each visible field's `onValidate`, and `onFormValidate` once every field is valid;
 * its
 * error has the address ''. Code that fails is an error. Checks may call the page's data sources if those only read. A check that
 * needs something only an open page has (a question to the user) has no effect, and is listed. Without code in the page no script thread is started.
 *
 * @throws CheckOverBudget if the rules need more steps than one turn may take, or the time is over
 */
export async function judgeSubmission(submission: JudgedSubmission): Promise<SubmissionVerdict> {
  const { page, text, state, onCheck } = submission
  const budget = createBudget(submission.steps)
  const model = spending(budget, () => submittedModel(submission))
  const unjudged = new Set<string>()
  const link = openSubmission(submission, model, (name) => unjudged.add(name))
  try {
    if (state !== null) model.apply(formStateWrites(model, state))
    await readData(submission, link, unjudged)
    onCheck?.(RULES)
    const { errors, asked } = spending(budget, () => judgeRules(model, submission))
    if (isOver(budget)) throw new CheckOverBudget(RULES)
    const found = await askFields(asked, model, submission, link)
    const all = [...errors, ...found]
    if (all.length > 0 || !hasCode(page.config.onFormValidate))
      return { errors: all, unjudged: [...unjudged] }
    const message = formVerdict(
      await ask({ hook: 'onFormValidate', key: '' }, [null], submission, link),
      text,
    )
    const errorsOfForm = message === null ? [] : [{ address: '', key: '', message }]
    return { errors: errorsOfForm, unjudged: [...unjudged] }
  } finally {
    link.dispose()
  }
}

const RULES: CheckPlace = { hook: 'rules', key: '' }

/** Loads the data that the rules read below `data`, and records what is unavailable. */
async function readData(
  submission: JudgedSubmission,
  { sources, at }: SubmissionLink,
  unjudged: Set<string>,
): Promise<void> {
  const { page, state, dict } = submission
  const reads = checkReads(page)
  if (reads.code && state === null) unjudged.add('code')
  if (reads.dict && dict === undefined) unjudged.add('dict')
  const serverSources = [...reads.data.keys()].filter((name) => isCalledByServer(page.dataSources.get(name)))
  for (const name of reads.data.keys())
    if (!serverSources.includes(name) && !Object.hasOwn(state?.data ?? {}, name)) unjudged.add(`data.${name}`)
  const requested = new Map<string, string>()
  for (let step = 0; step < MAX_DEPTH; step += 1) {
    const due = serverSources.filter((name) => {
      const key = sources.key(name)
      return key !== null && requested.get(name) !== JSON.stringify(key)
    })
    if (due.length === 0) return
    for (const name of due) {
      begin({ hook: 'data', key: name }, submission)
      requested.set(name, JSON.stringify(sources.key(name)))
      at(`data.${name}`)
      await sources.load(name)
    }
  }
}

/** The errors of the rules, and the fields whose code runs afterwards. */
function judgeRules(
  model: Model,
  { text }: Submission,
): { readonly errors: readonly FieldError[]; readonly asked: readonly NodeKey[] } {
  const errors = checkFields(model, text)
  const isRight = (key: NodeKey) => model.shown(key) && checkKey(model, key, text) === null
  const asked = model
    .fieldKeys()
    .filter((key) => hasCode(model.pageNode(key)?.options.onValidate) && isRight(key))
  return { errors, asked }
}

/** One after the other, so that a request can be attributed to its run. */
async function askFields(
  keys: readonly NodeKey[],
  model: Model,
  submission: JudgedSubmission,
  link: SubmissionLink,
): Promise<readonly FieldError[]> {
  const found: FieldError[] = []
  for (const key of keys) {
    const rule = { field: model.address(key), required: model.node(key).required }
    const answer = await ask({ hook: 'onValidate', key }, [rule, model.value(key)], submission, link)
    const message = fieldVerdict(answer, model.node(key).options, submission.text)
    if (message !== null) found.push({ address: model.address(key), key, message })
  }
  return found
}

/** Runs one check. One that needs something unavailable passes, and is listed in the verdict. */
async function ask(
  place: CheckPlace,
  args: readonly Json[],
  submission: JudgedSubmission,
  { at, ask: run }: SubmissionLink,
): Promise<Outcome<Json>> {
  begin(place, submission)
  const isBeyond = at(`${place.hook} ${place.key}`.trim())
  const answer = await run({ ...place, args })
  return isBeyond() ? { ok: true, value: true } : answer
}

function begin(place: CheckPlace, { onCheck, leftMs }: JudgedSubmission): void {
  onCheck?.(place)
  if (leftMs !== undefined && leftMs() <= 0) throw new CheckOverBudget(place)
}
