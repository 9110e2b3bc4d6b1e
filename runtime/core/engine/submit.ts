import type { Action, ActionFrame } from '../actions/action-host.ts'
import type { Conflict } from '../engine.ts'
import type { Failure } from '../errors.ts'
import { isObject, type Json, valueAt } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Outcome, Ports } from '../ports.ts'
import { formCell } from '../state/cells.ts'
import { createCollisions } from './collisions.ts'
import { errorModeOf } from './error-display.ts'
import type { FieldActs } from './field-acts.ts'
import { createFormSender } from './form-sender.ts'
import type { ScriptLink } from './script-link.ts'
import type { Sources } from './sources.ts'
import type { Touched } from './touched.ts'
import type { FieldMessage, Uploads } from './uploads.ts'

interface Parts {
  readonly model: Model
  readonly link: ScriptLink
  readonly fields: FieldActs
  readonly sources: Sources
  readonly touched: Touched
  readonly uploads: Pick<Uploads, 'settled'>
  readonly ports: Ports
  readonly reveal: (address: string) => Promise<void>
  /** Sets a field, or all rows of a sub-form. */
  readonly assign: (key: NodeKey, value: Json) => void
  /** Runs a list of actions: the submit again with what follows it, or what follows a write that waits. */
  readonly run: (actions: Json | undefined, frame: ActionFrame) => Promise<void>
}

/** Submitting a form: once, and without losing anything. */
export interface Submitter {
  validateAndReveal(): Promise<boolean>
  submit(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null>
  /** See `Engine.sending`. */
  sending(): Promise<Outcome<Json> | null> | null
  conflict(): Conflict | null
  resolveConflict(theirs: readonly string[]): Promise<void>
  dismissConflict(): void
}

export function createSubmitter(parts: Parts): Submitter {
  const { model, link, fields, touched, uploads, ports, reveal, assign, run } = parts
  let sending: Promise<Outcome<Json> | null> | null = null
  const announce = (): void => link.commit([{ cell: formCell('submitted'), value: ports.random.uuid() }])
  const collisions = createCollisions({ model, link, touched, announce })
  const send = createFormSender(parts)

  /** Shows what the fields do not find out themselves. False: there is nothing. */
  async function showErrors(errors: readonly FieldMessage[], toast?: string): Promise<boolean> {
    const [first] = errors
    if (!first) return false
    fields.setErrors(Object.fromEntries(errors))
    ports.feedback.toast({ text: toast ?? first[1] })
    await reveal(first[0])
    return true
  }
  async function validateAndReveal(): Promise<boolean> {
    // A form is sent with all its files, or not at all: the user sees which one failed.
    if (await showErrors(await uploads.settled())) return false
    const [first] = await fields.checkAll()
    if (!first) return true
    if (errorModeOf(model.page.config) === 'undertext') ports.feedback.toast({ text: first.message })
    await reveal(first.address)
    return false
  }
  async function sendOnce(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null> {
    if (!(await validateAndReveal())) return null
    if (collisions.isOvertaken(action, frame)) return null
    const outcome = await send(action, frame)
    if (outcome?.ok === false) return refused(action, frame, outcome.error)
    touched.settle()
    announce()
    if (outcome === null) await run(action.queued, frame)
    else await ports.outbox?.sent()
    return outcome
  }
  async function refused(action: Action, frame: ActionFrame, error: Failure): Promise<Outcome<Json> | null> {
    if (error.type === 'VERSION_CONFLICT' && collisions.collide(action, frame, error)) return null
    const faults = Object.entries(error.fields ?? {}).map(
      ([path, message]) => [fieldOf(path, String(action.dsName)), message] as const,
    )
    const shown = await showErrors(faults, error.message || ports.text('net.status'))
    return { ok: false, error: shown ? { ...error, shown } : error }
  }
  /** The field of an error: the one with that address, otherwise the one whose value is at that path of the body. */
  function fieldOf(path: string, source: string): string {
    if (model.find(path) !== undefined) return path
    const body = model.page.dataSources.get(source)?.body
    const names = fieldsIn(valueAt(body, path))
    return names.find(isShown) ?? names[0] ?? path
  }
  const isShown = (name: string): boolean => {
    const key = model.find(name)
    return key !== undefined && !model.hidden(key)
  }

  return {
    validateAndReveal,
    async submit(action, frame) {
      if (sending) return null
      sending = sendOnce(action, frame).finally(() => {
        sending = null
      })
      return sending
    },
    sending: () => sending,
    conflict: () => collisions.current()?.conflict ?? null,
    async resolveConflict(theirs) {
      const settled = collisions.settle()
      if (settled === null) return
      const { action, frame, untouched, conflict } = settled
      for (const name of [...untouched, ...theirs]) {
        const key = model.find(name)
        if (key !== undefined) assign(key, conflict.record[name] ?? null)
      }
      announce()
      await run([action], frame)
    },
    dismissConflict: collisions.dismiss,
  }
}

/** The fields whose values are unchanged at a path of a body: one, or those of its parts. */
function fieldsIn(piece: Json | undefined): readonly string[] {
  if (typeof piece === 'string') {
    const [, name] = /^\{\{ form\.([\w.]+) \}\}$/.exec(piece) ?? []
    return name === undefined ? [] : [name]
  }
  return isObject(piece) ? Object.values(piece).flatMap(fieldsIn) : []
}
