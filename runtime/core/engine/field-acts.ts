import { changeHooks } from '../hooks/change-hooks.ts'
import { hasCode } from '../hooks/hook-code.ts'
import { type Json, type JsonObject, sameJson } from '../json.ts'
import type { FieldError } from '../model/check-fields.ts'
import { checkKey } from '../model/check-fields.ts'
import type { Model, ValueChange } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { HookCall, Text, Write } from '../ports.ts'
import { errorCell } from '../state/cells.ts'
import type { ScriptLink } from './script-link.ts'
import { fieldVerdict, formVerdict } from './script-verdict.ts'
import type { Touched } from './touched.ts'

interface Parts {
  readonly model: Model
  readonly link: ScriptLink
  readonly touched: Touched
  readonly text: Text
  readonly onChange: (change: ValueChange) => void
  /** Shows a message away from the field, where the form wants it there. */
  readonly tell: (message: string) => void
}

/** User actions on fields (HOOKS 2.2): keystroke, commit, focus, blur; and the checks that follow. */
export interface FieldActs {
  input(key: NodeKey, value: Json): void
  /** Returns whether anything changed. */
  change(key: NodeKey, value: Json): boolean
  focus(key: NodeKey): void
  blur(key: NodeKey): void
  setValue(key: NodeKey, value: Json): void
  /** Checks one field, scripts included, and shows what is wrong. */
  check(key: NodeKey): Promise<string | null>
  checkAll(): Promise<readonly FieldError[]>
  setErrors(errors: Readonly<Record<string, string>>): void
  /** The form was reset: no input is pending. */
  forget(): void
}

export function createFieldActs({ model, link, touched, text, onChange, tell }: Parts): FieldActs {
  /** Values before the current input: the old value for change hooks. */
  const committed = new Map<NodeKey, Json>()
  const typed = new Set<NodeKey>()
  const before = (key: NodeKey): Json =>
    committed.has(key) ? (committed.get(key) as Json) : model.value(key)
  const error = (key: NodeKey): string | null => model.node(key).error
  const shape = (key: NodeKey, value: Json): Json => {
    const node = model.pageNode(key)
    return node?.spec.normalize ? node.spec.normalize(value, node.options) : value
  }
  const hook = (key: NodeKey, name: string, args: readonly Json[]): readonly HookCall[] =>
    hasCode(model.pageNode(key)?.options[name]) ? [{ hook: name, key, args }] : []

  function write(key: NodeKey, value: Json, fire: readonly HookCall[]): void {
    const writes: Write[] = [model.valueWrite(key, value)]
    link.commit(writes, fire)
    if (error(key) !== null && checksChanges(key)) show(key, checkKey(model, key, text))
  }
  /** False after a script's `disableChangeValidate`: the field is checked when it loses focus, and with the form. */
  function checksChanges(key: NodeKey): boolean {
    return model.node(key).options.changeValidateDisabled !== true
  }
  function show(key: NodeKey, message: string | null): void {
    if (error(key) !== message) link.commit([{ cell: errorCell(key), value: message }])
  }
  function commitChange(key: NodeKey, value: Json): void {
    const old = before(key)
    settle(key)
    write(key, value, changeHooks(model, { key, value, before: old }))
    onChange({ key, value, before: old })
  }
  function settle(key: NodeKey): void {
    committed.delete(key)
    typed.delete(key)
  }
  async function check(key: NodeKey): Promise<string | null> {
    const message = checkKey(model, key, text) ?? (await askScript(key))
    if (message !== null && message !== error(key)) tell(message)
    show(key, message)
    return message
  }
  async function askScript(key: NodeKey): Promise<string | null> {
    const { options } = model.node(key)
    if (!hasCode(options.onValidate) || !model.shown(key)) return null
    const rule: JsonObject = { field: model.address(key), required: model.node(key).required }
    const answer = await link.ask({ hook: 'onValidate', key, args: [rule, model.value(key)] })
    return fieldVerdict(answer, options, text)
  }

  /** The cross-field check, once every field is valid (HOOKS 1.2); its error belongs to no field. */
  async function askForm(): Promise<readonly FieldError[]> {
    if (!hasCode(model.page.config.onFormValidate)) return []
    const answer = await link.ask({ hook: 'onFormValidate', key: '', args: [null] })
    const message = formVerdict(answer, text)
    return message === null ? [] : [{ address: '', key: '', message }]
  }

  return {
    input(key, raw) {
      if (!committed.has(key)) committed.set(key, model.value(key))
      typed.add(key)
      const value = shape(key, raw)
      touched.mark(key)
      write(key, value, hook(key, 'onInput', [value]))
    },
    change(key, raw) {
      const value = shape(key, raw)
      const isOld = sameJson(before(key), value)
      if (isOld && sameJson(model.value(key), value)) return false
      touched.mark(key)
      // The typed text had no effect (only blanks that are removed): it is reset, and nothing counts as changed.
      if (isOld && typed.has(key)) {
        write(key, value, [])
        return false
      }
      commitChange(key, value)
      if (checksChanges(key)) void check(key)
      return true
    },
    focus(key) {
      committed.set(key, model.value(key))
      const fire = hook(key, 'onFocus', [{}])
      if (fire.length > 0) link.commit([], fire)
    },
    blur(key) {
      const fire = hook(key, 'onBlur', [{}])
      if (fire.length > 0) link.commit([], fire)
      settle(key)
      void check(key)
    },
    setValue: (key, value) => commitChange(key, shape(key, value)),
    check,
    async checkAll() {
      const keys = model.checkedKeys()
      const messages = await Promise.all(
        keys.map((key) => {
          const message = checkKey(model, key, text)
          return message === null && hasCode(model.pageNode(key)?.options.onValidate)
            ? askScript(key)
            : message
        }),
      )
      const writes = keys.flatMap((key, i) => {
        const message = messages[i] ?? null
        return (model.read(errorCell(key)) ?? null) === message
          ? []
          : [{ cell: errorCell(key), value: message }]
      })
      if (writes.length > 0) link.commit(writes)
      const wrong = keys.flatMap((key, i) => {
        const message = messages[i]
        return message ? [{ address: model.address(key), key, message }] : []
      })
      const faults = wrong.length > 0 ? wrong : await askForm()
      if (faults[0]) tell(faults[0].message)
      return faults
    },
    setErrors(errors) {
      const writes = Object.entries(errors).flatMap(([address, message]) => {
        const key = model.find(address)
        return key === undefined ? [] : [{ cell: errorCell(key), value: message }]
      })
      link.commit(writes)
    },
    forget() {
      committed.clear()
      typed.clear()
    },
  }
}
