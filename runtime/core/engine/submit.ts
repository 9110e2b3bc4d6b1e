import type { Action, ActionFrame } from '../actions/action-host.ts'
import type { Conflict } from '../engine.ts'
import type { Failure } from '../errors.ts'
import { isObject, type Json, type JsonObject, sameJson, valueAt } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Outcome, Ports } from '../ports.ts'
import { dataCell, formCell } from '../state/cells.ts'
import { errorModeOf } from './error-display.ts'
import type { FieldActs } from './field-acts.ts'
import type { ScriptLink } from './script-link.ts'
import type { Sources } from './sources.ts'
import type { Touched } from './touched.ts'
import type { Uploads } from './uploads.ts'

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
  /** Runs a list of actions: a submit again with what follows it, what follows a write that waits. */
  readonly run: (actions: Json | undefined, frame: ActionFrame) => Promise<void>
}

/** Sending a form: once, and without losing anything. */
export interface Submitter {
  validateAndReveal(): Promise<boolean>
  submit(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null>
  conflict(): Conflict | null
  resolveConflict(theirs: readonly string[]): Promise<void>
  dismissConflict(): void
}

interface Collision {
  readonly action: Action
  readonly frame: ActionFrame
  readonly record: JsonObject
  readonly conflict: Conflict
  /** Fields nobody sees here and the user has not changed: the other's version stays without a question. */
  readonly unseen: readonly string[]
}

export function createSubmitter({
  model,
  link,
  fields,
  sources,
  touched,
  uploads,
  ports,
  reveal,
  assign,
  run,
}: Parts): Submitter {
  let sending = false
  let last = { content: '', token: '' }
  let collision: Collision | null = null
  const announce = (): void => link.commit([{ cell: formCell('submitted'), value: ports.random.uuid() }])

  async function validateAndReveal(): Promise<boolean> {
    // A form goes with the files that were picked for it, or not at all: its reader sees which one failed.
    if (!(await uploads.settled())) return false
    const [first] = await fields.checkAll()
    if (!first) return true
    if (errorModeOf(model.page.config) === 'undertext') ports.feedback.toast({ text: first.message })
    await reveal(first.address)
    return false
  }
  /** The same content keeps its token, so that a repeat after a lost answer makes no second record; changed content gets a new one. */
  function tokenFor(name: string, frame: ActionFrame): string {
    const content = JSON.stringify([sources.key(name, { clientToken: '' }), frame.row ?? null])
    if (content !== last.content) last = { content, token: ports.random.uuid() }
    return last.token
  }
  async function send(name: string, action: Action, frame: ActionFrame): Promise<Outcome<Json>> {
    const waiting =
      typeof action.waiting === 'string' ? sources.fill(action.waiting) : ports.text('form.saving')
    const done = ports.feedback.loading(waiting)
    try {
      return await sources.request(name, { clientToken: tokenFor(name, frame) }, { isForm: true })
    } finally {
      done()
    }
  }
  /** Null: the write waits in the outbox. */
  async function sendUntilAnswered(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null> {
    const name = String(action.dsName)
    for (;;) {
      const outcome = await send(name, action, frame)
      if (outcome.ok || (outcome.error.code !== 'NETWORK' && outcome.error.code !== 'TIMEOUT')) return outcome
      const waits = await queue(action, frame)
      if (waits === true) return null
      const { confirm } = await ports.feedback.modal({
        content: ports.text(
          model.page.settings.draft === false ? 'form.unsent' : waits === false ? 'form.unkept' : 'form.kept',
        ),
        confirmText: ports.text('form.retry'),
        cancelText: ports.text('form.later'),
      })
      if (!confirm) return { ok: false, error: { ...outcome.error, shown: true } }
    }
  }
  /** Hands the write to the outbox. False: the device cannot store it; null: the page does not let it wait (PAGE-FORMAT, submit). */
  async function queue(action: Action, frame: ActionFrame): Promise<boolean | null> {
    const { queue: title, queueText } = action
    const name = String(action.dsName)
    const request = sources.built(name, { clientToken: tokenFor(name, frame) })
    if (ports.outbox === undefined || typeof title !== 'string' || request === undefined) return null
    const base = recordOf(action)
    return ports.outbox.put({
      request,
      title: sources.fill(title),
      text: typeof queueText === 'string' ? sources.fill(queueText) : '',
      draft: { ...(base === undefined ? {} : { base }), ...touched.draft() },
    })
  }
  /** The record being edited, as the page has read it. */
  function recordOf({ base }: Action): JsonObject | undefined {
    const record = typeof base === 'string' ? valueAt(model.scope(), base) : undefined
    return isObject(record) ? record : undefined
  }
  /** A write that waited is sent for what it was typed over: where somebody saved meanwhile, the user decides first. */
  function isOvertaken(action: Action, frame: ActionFrame): boolean {
    const typedOver = touched.base()
    if (typedOver === undefined || typeof action.base !== 'string') return false
    const now = recordOf(action)
    if (now === undefined) takeBase(action.base, typedOver)
    if (now === undefined || sameJson(now.version ?? null, typedOver.version ?? null)) return false
    const found = differences(now, typedOver)
    const isAsked = found.conflict.fields.length > 0
    if (isAsked) ask({ action, frame, record: now, ...found })
    return isAsked
  }
  async function refused(action: Action, frame: ActionFrame, error: Failure): Promise<Outcome<Json> | null> {
    if (error.type === 'VERSION_CONFLICT' && collide(action, frame, error)) return null
    const faults = Object.entries(error.fields ?? {}).map(
      ([path, message]) => [fieldOf(path, String(action.dsName)), message] as const,
    )
    const [address] = faults[0] ?? []
    if (address === undefined) return { ok: false, error }
    fields.setErrors(Object.fromEntries(faults))
    ports.feedback.toast({ text: error.message || ports.text('net.status') })
    await reveal(address)
    return { ok: false, error: { ...error, shown: true } }
  }
  /** The field a fault belongs to: the one of that address, else the one whose value the body holds at that path. */
  function fieldOf(path: string, source: string): string {
    if (model.find(path) !== undefined) return path
    const body = model.page.dataSources.get(source)?.body
    const taken = /^\{\{ form\.([\w.]+) \}\}$/.exec(String(valueAt(body, path) ?? ''))
    return taken?.[1] ?? path
  }
  function collide(action: Action, frame: ActionFrame, error: Failure): boolean {
    const copy = isObject(error.data) ? (error.data.current ?? error.data.record) : undefined
    const record = isObject(copy) ? copy : error.data
    if (!isObject(record) || typeof action.base !== 'string') return false
    const base = touched.base() ?? recordOf(action) ?? {}
    ask({ action, frame, record, ...differences(record, base) })
    return true
  }
  function ask(between: Collision): void {
    collision = between
    announce()
  }
  /** What `record` says otherwise than the form and than what the form was filled over. */
  function differences(record: JsonObject, base: JsonObject): Pick<Collision, 'conflict' | 'unseen'> {
    const nameOf = (key: NodeKey): string => model.pageNode(key)?.name ?? ''
    const isMine = (key: NodeKey): boolean =>
      !sameJson(inShape(key, base[nameOf(key)] ?? null), inShape(key, model.value(key)))
    // Fields in rows have no value of their own in the record: their sub-form is compared as a whole.
    const whole = model.fieldKeys().filter((key) => model.page.nodes.has(key))
    const differing = [...whole, ...model.subForms.keys()].filter((key) => {
      const theirs = record[nameOf(key)]
      return (
        theirs !== undefined &&
        !sameJson(inShape(key, theirs), inShape(key, model.value(key))) &&
        !sameJson(theirs, base[nameOf(key)])
      )
    })
    const seen = differing.filter((key) => model.shown(key))
    const unseen = differing.filter((key) => !model.shown(key) && !isMine(key)).map(nameOf)
    return {
      unseen,
      conflict: { fields: seen.map((key) => ({ ...difference(key, record), changed: isMine(key) })) },
    }
  }
  /** Rows with the sub-form's own fields only: a record's rows have more. */
  function inShape(key: NodeKey, value: Json): Json {
    const names = model.subForms.get(key)?.fields.map((field) => field.name)
    if (names === undefined || !Array.isArray(value)) return value
    return value.map((row) =>
      Object.fromEntries(names.map((name) => [name, isObject(row) ? (row[name] ?? null) : null])),
    )
  }
  /** How many rows, and what the first field says in each. */
  function rowsText(key: NodeKey, value: Json): string {
    const rows = Array.isArray(value) ? value.filter(isObject) : []
    const first = model.subForms.get(key)?.fields[0]?.name ?? ''
    const count = ports.text('subForm.count', { count: rows.length })
    return [count, ...rows.map((row) => String(row[first] ?? ''))].join(' · ')
  }
  function difference(key: NodeKey, record: JsonObject): Omit<Conflict['fields'][number], 'changed'> {
    const { node, label, options, items } = model.node(key)
    const asText = (x: Json): string =>
      model.subForms.has(key)
        ? rowsText(key, x)
        : (node.spec.text?.(x, options, items) ?? (x === null ? '' : String(x)))
    /** What stands beside an id: nobody can tell records by those. */
    const wordsIn = (values: JsonObject): string | undefined => {
      const words = values[String(options.nameField ?? '')]
      return typeof words === 'string' ? words : undefined
    }
    return {
      name: node.name,
      label,
      mine: wordsIn(model.form) ?? asText(model.value(key)),
      theirs: wordsIn(record) ?? asText(record[node.name] ?? null),
    }
  }
  function takeBase(path: string, record: JsonObject): void {
    const [root, name, ...rest] = path.split('.')
    if (root === 'data' && name !== undefined) {
      link.commit([
        { cell: dataCell(name), value: replaceAt(model.read(dataCell(name)) ?? {}, rest, record) },
      ])
    }
  }

  return {
    validateAndReveal,
    async submit(action, frame) {
      if (sending) return null
      sending = true
      try {
        if (!(await validateAndReveal())) return null
        if (isOvertaken(action, frame)) return null
        const outcome = await sendUntilAnswered(action, frame)
        if (outcome?.ok === false) return await refused(action, frame, outcome.error)
        touched.clear()
        announce()
        if (outcome === null) await run(action.queued, frame)
        else await ports.outbox?.sent()
        return outcome
      } finally {
        sending = false
      }
    },
    conflict: () => collision?.conflict ?? null,
    async resolveConflict(theirs) {
      if (!collision) return
      const { action, frame, record, unseen } = collision
      collision = null
      touched.compared()
      takeBase(String(action.base), record)
      for (const name of [...unseen, ...theirs]) {
        const key = model.find(name)
        if (key !== undefined) assign(key, record[name] ?? null)
      }
      announce()
      await run([action], frame)
    },
    dismissConflict() {
      collision = null
      announce()
    },
  }
}

function replaceAt(value: Json, path: readonly string[], replacement: Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  const at = isObject(value) ? value : {}
  return { ...at, [step]: replaceAt(at[step] ?? {}, rest, replacement) }
}
