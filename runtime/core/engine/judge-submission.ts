import { createBudget, isOver, spending } from '../budget.ts'
import { hasCode } from '../hooks/hook-code.ts'
import type { Json } from '../json.ts'
import { checkFields, checkKey, type FieldError } from '../model/check-fields.ts'
import { checkReads } from '../model/check-reads.ts'
import { type FormState, formStateWrites, isAskedByServer } from '../model/form-state.ts'
import type { Model } from '../model/model.ts'
import { type Submission, submittedModel } from '../model/submitted-model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Http, Outcome, Script, ScriptReport } from '../ports.ts'
import { fieldVerdict, formVerdict } from './script-verdict.ts'
import { openSubmission, type SubmissionLink } from './submission-link.ts'

/** A submission, where its page's code runs, and how its sources are asked. */
export interface JudgedSubmission extends Submission {
  readonly script: Script
  /** Asks for what the page would: reads of our own server, as the caller. Whatever it does not ask fails with `NOT_A_READ`. */
  readonly send: Http['send']
  /** What the form was filled in with, as its client tells; null where no page told it. */
  readonly state: FormState | null
  /** Told what went wrong in the page's code. */
  readonly onReport?: (report: ScriptReport) => void
  /** Told which check comes next. */
  readonly onCheck?: (check: CheckPlace) => void
  /** Milliseconds left for the rest, asked before each check; default: no end. */
  readonly leftMs?: () => number
  /** Steps that its rules may take; default: those of a turn. */
  readonly steps?: number
}

/** Which of a page's checks: the hook (`rules` for all that is no code, `data` for what these read) and the node it belongs to. */
export interface CheckPlace {
  readonly hook: string
  readonly key: NodeKey
}

/** A submission whose checks cost more than one may: there is no verdict. */
export class CheckOverBudget extends Error {
  readonly place: CheckPlace
  constructor(place: CheckPlace) {
    super(`the checks of the page take too long, at ${place.hook} ${place.key}`)
    this.place = place
  }
}

/** What the page has against a submission. */
export interface SubmissionVerdict {
  readonly errors: readonly FieldError[]
  /** What took part in the checks and was not there: they had no say in it. `data.limit`, `onValidate amount: confirm`. */
  readonly unjudged: readonly string[]
}

/** Maximum depth of automatic sources that read what another gives. */
const DEEPEST = 5

/**
 * Judges posted values as the page itself would. What its rules read below `data` is asked of the sources behind it or taken from the
 * state that came along; then come the rules, then each shown field's `onValidate`, and `onFormValidate` once every field is right; its
 * fault has the address ''. Code that fails is a fault. Checks may ask the page's data sources, as far as those only read. A check that
 * asks for what an open page alone has (a question to the user) has no say, and is named. No thread of code is started for a page without it.
 *
 * @throws CheckOverBudget when the rules need more steps than one turn may take, or the time is over
 */
export async function judgeSubmission(submission: JudgedSubmission): Promise<SubmissionVerdict> {
  const { page, text, state, onCheck } = submission
  const budget = createBudget(submission.steps)
  const model = spending(budget, () => submittedModel(submission))
  const unjudged = new Set<string>()
  const link = openSubmission(submission, model, (what) => unjudged.add(what))
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
    const errorsOfForm = message === '' ? [] : [{ address: '', key: '', message }]
    return { errors: errorsOfForm, unjudged: [...unjudged] }
  } finally {
    link.dispose()
  }
}

const RULES: CheckPlace = { hook: 'rules', key: '' }

/** Brings what the rules read below `data`, and notes what cannot be had. */
async function readData(
  submission: JudgedSubmission,
  { sources, at }: SubmissionLink,
  unjudged: Set<string>,
): Promise<void> {
  const { page, state, dict } = submission
  const reads = checkReads(page)
  if (reads.code && state === null) unjudged.add('code')
  if (reads.dict && dict === undefined) unjudged.add('dict')
  const own = [...reads.data.keys()].filter((name) => isAskedByServer(page.dataSources.get(name)))
  for (const name of reads.data.keys())
    if (!own.includes(name) && !Object.hasOwn(state?.data ?? {}, name)) unjudged.add(`data.${name}`)
  const asked = new Map<string, string>()
  for (let step = 0; step < DEEPEST; step += 1) {
    const due = own.filter((name) => {
      const key = sources.key(name)
      return key !== null && asked.get(name) !== JSON.stringify(key)
    })
    if (due.length === 0) return
    for (const name of due) {
      begin({ hook: 'data', key: name }, submission)
      asked.set(name, JSON.stringify(sources.key(name)))
      at(`data.${name}`)
      await sources.load(name)
    }
  }
}

/** What the rules say, and the fields whose code is asked after them. */
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

/** One after the other: what a run asked for is then known to be its own. */
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

/** Asks one check. One that was beyond us passes: it is named in the verdict. */
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
