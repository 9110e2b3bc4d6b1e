import type { Failure } from '../errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import type { Outcome } from '../ports.ts'
import { canDial } from '../widgets/values.ts'
import type { Action, ActionFrame, ActionHost } from './action-host.ts'
import { asSubmission, questionOf } from './save-action.ts'
import { withQuery } from './with-query.ts'

/** Result of a step: the frame for the next one, or null to stop the list. */
type Step = ActionFrame | null
type Runner = (action: Action, frame: ActionFrame, host: ActionHost) => Step | Promise<Step>

/**
 * Runs a list of actions in order and stops at the first failure (PAGE-FORMAT, "Actions").
 *
 * @returns true if the list ran to its end
 */
export async function runActions(
  actions: Json | undefined,
  host: ActionHost,
  frame: ActionFrame = {},
): Promise<boolean> {
  let at: Step = frame
  for (const action of Array.isArray(actions) ? actions : []) {
    if (!isObject(action) || (action.do !== 'when' && !applies(action, at, host))) continue
    const run = RUNNERS[String(action.do)]
    if (!run) continue
    at = await run(action, at, host)
    if (at === null) return false
  }
  return true
}

function applies(action: Action, frame: ActionFrame, host: ActionHost): boolean {
  return (
    action.if === undefined || action.if === null || isTruthy(ruleOf(action.if, 'if', action, frame, host))
  )
}

const ruleOf = (rule: Json, name: string, action: Action, frame: ActionFrame, host: ActionHost): Json =>
  applyRule(rule, host.scope(frame), (error) =>
    host.onBound?.({ rule: name, key: `action ${String(action.do ?? '')}`.trim(), error }),
  )

const text = (value: Json | undefined, frame: ActionFrame, host: ActionHost): string => {
  const filled = typeof value === 'string' ? host.fill(value, frame) : value
  return filled === null || filled === undefined ? '' : String(filled)
}

const navigation =
  (method: 'open' | 'redirect' | 'relaunch' | 'switchTab'): Runner =>
  (action, frame, host) => {
    host.ports.navigator[method](withQuery(text(action.url, frame, host), action.query, frame, host))
    return frame
  }

/** Continues with `then` or `else` depending on the outcome; without an `else` the error is shown, unless the user has seen it. */
async function follow(
  outcome: Outcome<Json>,
  action: Action,
  frame: ActionFrame,
  host: ActionHost,
): Promise<Step> {
  if (outcome.ok) {
    const next = { ...frame, result: outcome.value }
    return (await runActions(action.then, host, next)) ? next : null
  }
  const { message, shown } = outcome.error
  if (action.else !== undefined) await runActions(action.else, host, failed(outcome.error, frame))
  else if (!shown && action.silent !== true) host.ports.feedback.toast({ text: message })
  return null
}

/** The frame for the actions after a failure. */
function failed(fault: Failure, frame: ActionFrame): ActionFrame {
  const { code, message, type = '', status = 0, data = null, shown = false } = fault
  const error: JsonObject = { code, message, type, status, data, told: shown }
  return { ...frame, error }
}

/** The variable with the answers to the server's questions, which a source can send. */
const CONFIRMED = 'confirm'

/**
 * Makes a call, and repeats it with the answer for each question that comes back (`data.confirm` of a refusal) if there is a wording for it.
 *
 * @param defaults  wordings for questions that the action has none for
 * @returns null if the user said no, or if the write waits
 */
async function callAsking(
  call: () => Promise<Outcome<Json> | null>,
  action: Action,
  frame: ActionFrame,
  host: ActionHost,
  defaults?: JsonObject,
): Promise<Outcome<Json> | null> {
  const confirmed: string[] = []
  try {
    for (;;) {
      const outcome = await call()
      if (outcome === null || outcome.ok) return outcome
      const serverQuestion = String(ownValue(outcome.error.data, CONFIRMED) ?? '')
      const question = questionOf(action, serverQuestion, defaults)
      if (!isObject(question) || confirmed.includes(serverQuestion)) return outcome
      const at = failed(outcome.error, frame)
      const title = text(question.title, at, host)
      const answer = await host.ports.feedback.modal({
        content: text(question.content, at, host),
        ...(title === '' ? {} : { title }),
      })
      if (!answer.confirm) return null
      confirmed.push(serverQuestion)
      host.setData(CONFIRMED, confirmed)
    }
  } finally {
    if (confirmed.length > 0) host.setData(CONFIRMED, null)
  }
}

const branch = async (yes: boolean, action: Action, frame: ActionFrame, host: ActionHost): Promise<Step> => {
  const list = yes ? action.then : action.else
  return (await runActions(list, host, frame)) ? frame : null
}

/** A page that another page waits for passes on its new record, and does nothing else. */
const submitted = async (
  outcome: Outcome<Json> | null,
  action: Action,
  frame: ActionFrame,
  host: ActionHost,
): Promise<Step> => {
  if (outcome === null || (outcome.ok && host.ports.navigator.answer?.(outcome.value))) return null
  return follow(outcome, action, frame, host)
}

/** Duration of a toast with a sentence that says what to do. */
const LONG_TOAST_MS = 4_000
/** Duration of a toast with an undo button. */
const UNDO_MS = 5_000

const RUNNERS: Readonly<Record<string, Runner>> = {
  navigate: navigation('open'),
  redirect: navigation('redirect'),
  relaunch: navigation('relaunch'),
  switchTab: navigation('switchTab'),
  back: (action, frame, host) => {
    host.ports.navigator.back(typeof action.delta === 'number' ? action.delta : 1)
    return frame
  },
  request: async (action, frame, host) => {
    const given = isObject(action.with) ? action.with : {}
    const variables = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        typeof value === 'string' ? host.fill(value, frame) : (value ?? null),
      ]),
    )
    const name = text(action.dsName, frame, host)
    const outcome = await callAsking(() => host.request(name, variables, frame), action, frame, host)
    return outcome === null ? null : follow(outcome, action, frame, host)
  },
  submit: async (action, frame, host) => {
    const outcome = await callAsking(() => host.submit(action, frame), action, frame, host)
    return submitted(outcome, action, frame, host)
  },
  save: async (action, frame, host) => {
    const { text: words, feedback } = host.ports
    const isNew = !isTruthy(applyRule({ var: 'params.id' }, host.scope(frame)))
    const submission = asSubmission(action, isNew, words)
    const defaults = { content: `{{ error.message }}\n${words('form.anyway')}` }
    const outcome = await callAsking(() => host.submit(submission, frame), submission, frame, host, defaults)
    const isStale = outcome?.ok === false && outcome.error.type === 'VERSION_CONFLICT'
    if (!isStale) return submitted(outcome, submission, frame, host)
    const { confirm } = await feedback.modal({ title: words('conflict.title'), content: words('form.stale') })
    if (confirm) await host.refresh(undefined)
    return null
  },
  validate: async (action, frame, host) => branch(await host.validateAndReveal(), action, frame, host),
  refresh: async (action, frame, host) => {
    await host.refresh(typeof action.dsName === 'string' ? action.dsName : undefined)
    return frame
  },
  set: (action, frame, host) => {
    const value = setValue(action, frame, host)
    const by = action.keep === true ? { ...frame, acted: true } : frame
    if (typeof action.field === 'string') host.setField(action.field, value, by)
    if (typeof action.data === 'string') host.setData(action.data, value)
    if (action.fields === true && isObject(value))
      for (const [name, part] of Object.entries(value)) host.setField(name, part ?? null, by)
    return frame
  },
  toast: (action, frame, host) => {
    const icon =
      action.icon === 'success' || action.icon === 'error' || action.icon === 'loading' ? action.icon : 'none'
    const label = text(action.act, frame, host)
    const act = { label, run: () => runActions(action.then, host, frame) }
    host.ports.feedback.toast({
      text: text(action.text, frame, host),
      icon,
      ...(label === '' ? {} : { act, durationMs: UNDO_MS }),
    })
    return frame
  },
  confirm: async (action, frame, host) => {
    const title = text(action.title, frame, host)
    const answer = await host.ports.feedback.modal({
      content: text(action.content, frame, host),
      ...(title === '' ? {} : { title }),
    })
    if (answer.confirm) return branch(true, action, frame, host)
    if (action.else !== undefined) await runActions(action.else, host, frame)
    return null
  },
  choose: async (action, frame, host) => {
    const items = (Array.isArray(action.items) ? action.items : [])
      .filter(isObject)
      .filter((item) => applies(item, frame, host))
    const title = text(action.title, frame, host)
    const labels = items.map((item) => text(item.label, frame, host))
    const index = await host.ports.feedback.actionSheet(labels, title === '' ? undefined : title)
    return index >= 0 && (await runActions(items[index]?.then, host, frame)) ? frame : null
  },
  dial: (action, frame, host) => {
    const number = text(action.value, frame, host)
    if (canDial(number)) {
      host.ports.device.dial(number)
      return frame
    }
    host.ports.feedback.toast({ text: host.ports.text('device.notDialled') })
    return null
  },
  copy: async (action, frame, host) => {
    const done = await host.ports.device.copy(text(action.value, frame, host))
    host.ports.feedback.toast({ text: host.ports.text(done ? 'device.copied' : 'device.copyFailed') })
    return frame
  },
  share: async (action, frame, host) => {
    await host.ports.device.share({
      title: text(action.title, frame, host),
      url: text(action.url, frame, host),
    })
    return frame
  },
  openFile: async (action, frame, host) => {
    const isThere = await host.ports.device.openDocument(text(action.url, frame, host))
    if (!isThere) host.ports.feedback.toast({ text: host.ports.text('device.fileGone') })
    return frame
  },
  locate: async (action, frame, host) => {
    const done = host.ports.feedback.loading(host.ports.text('device.locating'))
    const place = await host.ports.device.locate(setValue(action, frame, host)).finally(done)
    if (typeof place === 'object') {
      const next = { ...frame, result: { ...place } }
      return (await runActions(action.then, host, next)) ? next : null
    }
    if (action.else !== undefined) await runActions(action.else, host, { ...frame, error: { type: place } })
    else
      host.ports.feedback.toast({
        text: host.ports.text(place === 'refused' ? 'device.locateRefused' : 'device.locateFailed'),
        durationMs: LONG_TOAST_MS,
      })
    return null
  },
  openSheet: (action, frame, host) => {
    host.setOption(text(action.name, frame, host), 'open', true)
    return frame
  },
  closeSheet: (action, frame, host) => {
    host.setOption(text(action.name, frame, host), 'open', false)
    return frame
  },
  upload: (action, frame, host) => {
    host.pickFiles(text(action.field, frame, host))
    return frame
  },
  emit: (action, frame, host) => {
    host.emit(text(action.name, frame, host), Array.isArray(action.args) ? action.args : [])
    return frame
  },
  wait: (action, frame, host) =>
    new Promise((resolve) => {
      host.ports.clock.after(typeof action.ms === 'number' ? action.ms : 0, () => resolve(frame))
    }),
  signIn: async (_, frame, host) => {
    await host.ports.session.signIn(isObject(frame.result) ? frame.result : {})
    return frame
  },
  signOut: async (_, frame, host) => {
    await host.ports.session.signOut()
    return frame
  },
  refreshUser: async (_, frame, host) => {
    await host.ports.session.refresh()
    return frame
  },
  when: (action, frame, host) => branch(applies(action, frame, host), action, frame, host),
}

/** The value of a `set`: a text with placeholders, plain JSON, or `{"rule": …}`. */
function setValue(action: Action, frame: ActionFrame, host: ActionHost): Json {
  const { value } = action
  if (typeof value === 'string') return host.fill(value, frame)
  if (isObject(value) && 'rule' in value) return ruleOf(value.rule ?? null, 'value', action, frame, host)
  return value ?? null
}
