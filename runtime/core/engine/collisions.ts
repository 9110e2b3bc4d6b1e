import type { Action, ActionFrame } from '../actions/action-host.ts'
import type { Failure } from '../errors.ts'
import { isObject, type Json, type JsonObject, sameJson, valueAt } from '../json.ts'
import type { Model } from '../model/model.ts'
import { dataCell } from '../state/cells.ts'
import { type Differences, differencesFrom } from './record-differences.ts'
import type { ScriptLink } from './script-link.ts'
import type { Touched } from './touched.ts'

/** A submit of a record that somebody else had saved meanwhile. */
interface Collision extends Differences {
  readonly action: Action
  readonly frame: ActionFrame
}

interface Parts {
  readonly model: Model
  readonly link: ScriptLink
  readonly touched: Touched
  /** The form has a question for the user, or none any more. */
  readonly announce: () => void
}

export interface Collisions {
  current(): Collision | null
  /** Prepares sending a waiting write with the version on which it is based: if somebody saved meanwhile, the user decides first. */
  isOvertaken(action: Action, frame: ActionFrame): boolean
  /** A refusal contained the current record. False: it did not, or the action names no record. */
  collide(action: Action, frame: ActionFrame, error: Failure): boolean
  /** The user has decided: the form is now based on the other person's record. */
  settle(): Collision | null
  dismiss(): void
}

export function createCollisions({ model, link, touched, announce }: Parts): Collisions {
  let collision: Collision | null = null
  const ask = (between: Collision): void => {
    collision = between
    announce()
  }
  const takeBase = (path: string, record: JsonObject): void => {
    const [root, name, ...rest] = path.split('.')
    if (root !== 'data' || name === undefined) return
    const cell = dataCell(name)
    link.commit([{ cell, value: replaceAt(model.read(cell) ?? {}, rest, record) }])
  }
  return {
    current: () => collision,
    isOvertaken(action, frame) {
      const typedOver = touched.base()
      if (typedOver === undefined || typeof action.base !== 'string') return false
      const now = recordOf(model, action)
      if (now === undefined) takeBase(action.base, typedOver)
      if (now === undefined || sameJson(now.version ?? null, typedOver.version ?? null)) return false
      const found = differencesFrom(model, now, typedOver)
      const hasConflict = found.conflict.fields.length + found.conflict.taken.length > 0
      if (hasConflict) ask({ action, frame, ...found })
      return hasConflict
    },
    collide(action, frame, error) {
      const record = isObject(error.data) ? error.data.current : undefined
      if (!isObject(record) || typeof action.base !== 'string') return false
      const base = touched.base() ?? recordOf(model, action) ?? {}
      touched.rebase(base)
      ask({ action, frame, ...differencesFrom(model, record, base) })
      return true
    },
    settle() {
      const settled = collision
      if (settled === null) return null
      collision = null
      touched.rebase()
      takeBase(String(settled.action.base), settled.conflict.record)
      return settled
    },
    dismiss() {
      collision = null
      announce()
    },
  }
}

/** The record that an action edits, as the page has read it. */
export function recordOf(model: Model, { base }: Action): JsonObject | undefined {
  const record = typeof base === 'string' ? valueAt(model.scope(), base) : undefined
  return isObject(record) ? record : undefined
}

function replaceAt(value: Json, path: readonly string[], replacement: Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  const at = isObject(value) ? value : {}
  return { ...at, [step]: replaceAt(at[step] ?? {}, rest, replacement) }
}
