import { createBudget, isOver, spending } from '../budget.ts'
import { hasCode } from '../hooks/hook-code.ts'
import { lowerLimits } from '../hooks/script-limits.ts'
import type { Json } from '../json.ts'
import { checkFields, checkKey, type FieldError } from '../model/check-fields.ts'
import type { Model } from '../model/model.ts'
import { type Submission, submittedModel } from '../model/validate-values.ts'
import type { NodeKey } from '../page/page.ts'
import type { Outcome, Script, ScriptReport, ScriptSession } from '../ports.ts'
import { fieldVerdict, formVerdict } from './script-verdict.ts'

/** A submission, and where its page's code runs. */
export interface ScriptedSubmission extends Submission {
  readonly script: Script
  /** Told what went wrong in the page's code. */
  readonly onReport?: (report: ScriptReport) => void
  /** Told which check comes next. */
  readonly onCheck?: (check: CheckPlace) => void
  /** Milliseconds left for the rest of the code, asked before each check; default: no end. */
  readonly leftMs?: () => number
}

/** Which of a page's checks: the hook (`rules` for all that is no code) and the node it belongs to. */
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

/**
 * Judges posted values as the page itself would, its code included: each shown field's `onValidate`, and `onFormValidate`
 * once every field is right; its fault has the address ''. Code that fails is a fault. Code that asks for what only an open page
 * has (a data source, a question to the user) has no say. Nothing is started for a page without such code.
 *
 * @throws CheckOverBudget when the rules need more steps than one turn may take, or the time is over
 */
export async function validateWithScripts(submission: ScriptedSubmission): Promise<readonly FieldError[]> {
  const { page, text, script, onReport, onCheck, leftMs } = submission
  const rules: CheckPlace = { hook: 'rules', key: '' }
  onCheck?.(rules)
  const budget = createBudget()
  const { model, errors, asked } = spending(budget, () => judgeRules(submission))
  if (isOver(budget)) throw new CheckOverBudget(rules)
  const asksForm = hasCode(page.config.onFormValidate)
  if (asked.length === 0 && !(asksForm && errors.length === 0)) return errors
  let isBeyond = false
  const { params = {}, user = {}, dict = {} } = submission
  const session = script.open({
    document: page.document,
    limits: lowerLimits(page.settings.scriptLimits),
    snapshot: () => ({ turn: 0, writes: model.snapshot(), context: { params, user, dict } }),
    onBatch: () => {},
    onReport: (report) => onReport?.(report),
    onRequest: (name) => {
      isBeyond = true
      return Promise.reject(new Error(`${name} needs an open page`))
    },
  })
  const ask = async (hook: string, key: NodeKey, args: readonly Json[]): Promise<Outcome<Json>> => {
    isBeyond = false
    onCheck?.({ hook, key })
    if (leftMs !== undefined && leftMs() <= 0) throw new CheckOverBudget({ hook, key })
    const answer = await session.ask({ hook, key, args })
    return isBeyond ? { ok: true, value: true } : answer
  }
  try {
    const found = await askFields(asked, model, submission, ask)
    if (errors.length + found.length > 0 || !asksForm) return [...errors, ...found]
    const message = formVerdict(await ask('onFormValidate', '', [null]), text)
    return message === '' ? [] : [{ address: '', key: '', message }]
  } finally {
    session.dispose()
  }
}

/** What the rules say, and the fields whose code is asked after them. */
function judgeRules(submission: Submission): {
  readonly model: Model
  readonly errors: readonly FieldError[]
  readonly asked: readonly NodeKey[]
} {
  const model = submittedModel(submission)
  const errors = checkFields(model, submission.text)
  const asked = model
    .fieldKeys()
    .filter((key) => hasCode(model.pageNode(key)?.options.onValidate) && isRight(model, key, submission))
  return { model, errors, asked }
}

type Ask = (hook: string, key: NodeKey, args: readonly Json[]) => ReturnType<ScriptSession['ask']>

/** One after the other: what a run asked for is then known to be its own. */
async function askFields(
  keys: readonly NodeKey[],
  model: Model,
  { text }: Submission,
  ask: Ask,
): Promise<readonly FieldError[]> {
  const found: FieldError[] = []
  for (const key of keys) {
    const rule = { field: model.address(key), required: model.node(key).required }
    const answer = await ask('onValidate', key, [rule, model.value(key)])
    const message = fieldVerdict(answer, model.node(key).options, text)
    if (message !== null) found.push({ address: model.address(key), key, message })
  }
  return found
}

function isRight(model: Model, key: NodeKey, { text }: Submission): boolean {
  return model.shown(key) && checkKey(model, key, text) === null
}
