import type { ActionHost } from '../actions/action-host.ts'
import { runActions } from '../actions/run-actions.ts'
import { isObject, type Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { Effect, Ports } from '../ports.ts'
import type { FieldActs } from './field-acts.ts'

interface Parts {
  readonly ports: Ports
  readonly host: ActionHost
  readonly fields: FieldActs
  readonly model: Model
  readonly reveal: (address: string) => Promise<void>
}

type Run = (args: readonly Json[], parts: Parts) => void

/** What a script may ask of the page besides writing state; the names are granted in `hooks/script-api.ts`. */
const EFFECTS: Readonly<Record<string, Run>> = {
  toast: ([text, icon], { ports }) =>
    ports.feedback.toast({
      text: String(text ?? ''),
      icon: icon === 'success' || icon === 'error' ? icon : 'none',
    }),
  focus: ([address], { reveal }) => void reveal(String(address ?? '')),
  emit: ([name, args], { host }) => host.emit(String(name ?? ''), Array.isArray(args) ? args : []),
  refresh: ([name], { host }) => void host.refresh(typeof name === 'string' ? name : undefined),
  action: ([action], { host }) => void (isObject(action) && runActions([action], host)),
}

/** Carries out a script's effects; unknown names are ignored. */
export function effectRunner(parts: Parts): (effect: Effect) => void {
  return ({ name, args }) => EFFECTS[name]?.(args, parts)
}
