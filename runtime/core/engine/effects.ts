import type { ActionHost } from '../actions/action-host.ts'
import type { Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { Effect, Ports } from '../ports.ts'
import type { FieldActs } from './field-acts.ts'
import type { RowTiming } from './row-timing.ts'

interface Parts {
  readonly ports: Ports
  readonly host: ActionHost
  readonly fields: FieldActs
  readonly model: Model
  readonly reveal: (address: string) => Promise<void>
  readonly loadOptions: (names?: readonly string[]) => Promise<void>
  readonly timing: RowTiming
}

type Run = (args: readonly Json[], parts: Parts) => void

/** What a script may do on the page besides writing state; the names are granted in `hooks/script-api.ts`. */
const EFFECTS: Readonly<Record<string, Run>> = {
  toast: ([text, icon, durationMs], { ports }) =>
    ports.feedback.toast({
      text: String(text ?? ''),
      icon: icon === 'success' || icon === 'error' ? icon : 'none',
      ...(typeof durationMs === 'number' ? { durationMs } : {}),
    }),
  widgetNotFound: ([name], { ports }) =>
    ports.feedback.toast({ text: ports.text('form.widgetNotFound', { name: String(name ?? '') }) }),
  notSubForm: (_, { ports }) => ports.feedback.toast({ text: ports.text('form.notSubForm') }),
  focus: ([address], { reveal }) => void reveal(String(address ?? '')),
  blur: ([address], { model, fields }) => {
    const key = model.find(String(address ?? ''))
    if (key !== undefined) fields.blur(key)
  },
  emit: ([name, args], { host }) => host.emit(String(name ?? ''), Array.isArray(args) ? args : []),
  log: (args, { host }) => host.emit('log', args),
  reloadOptions: ([names], { loadOptions }) =>
    void loadOptions(Array.isArray(names) && names.length > 0 ? names.map(String) : undefined),
  rowsReplaced: ([subForm], { timing }) => timing.replaced(String(subForm ?? '')),
  rowAdded: ([subForm, rowId], { timing }) => timing.added(String(subForm ?? ''), String(rowId ?? '')),
}

/** Carries out a script's effects; unknown names are ignored. */
export function effectRunner(parts: Parts): (effect: Effect) => void {
  return ({ name, args }) => EFFECTS[name]?.(args, parts)
}
