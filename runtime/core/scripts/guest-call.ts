import { hookCode } from '../hooks/hook-code.ts'
import { HOOKS, type HookSpec } from '../hooks/hook-names.ts'
import type { Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { HookCall } from '../ports.ts'
import { optionCell } from '../state/cells.ts'
import { refKind } from './page-powers.ts'
import type { GuestArg, GuestCall } from './script-vm.ts'
import { slotOf } from './strikes.ts'

/** The call for the engine: code, `this` and arguments; undefined if the hook has no code. */
export function guestCall(model: Model, call: HookCall, id: number, wanted: boolean): GuestCall | undefined {
  const { hook, key } = call
  const spec = HOOKS[hook]
  const code = hookCode(model.page, hook, key) ?? (hasHandler(model, hook, key) ? '' : undefined)
  if (!spec || code === undefined) return undefined
  return {
    id,
    slot: slotOf(hook, key),
    code,
    params: spec.params,
    self: selfOf(model, spec, key),
    args: spec.params.map((name, i) => argument(model, spec, call, code, name, i)),
    wanted,
  }
}

/** Options that make the page call a handler that a script has set (`setBeforeUploadHandler`). */
const HANDLER_OPTIONS: Readonly<Record<string, string>> = {
  onBeforeUpload: 'beforeUploadHandler',
  onUploadSuccess: 'afterUploadHandler',
}

/** True if a script has set a handler that replaces the hook's code. */
function hasHandler(model: Model, hook: string, key: string): boolean {
  const option = HANDLER_OPTIONS[hook]
  return option !== undefined && model.read(optionCell(key, option)) === true
}

function selfOf(model: Model, spec: HookSpec, key: string): GuestCall['self'] {
  if (spec.self === 'none') return null
  return spec.self === 'form' ? { kind: 'form', key: '' } : { kind: refKind({ model }, key), key }
}

/** State arguments are read when the hook runs, and only if the code names them, to avoid copying the whole form. */
function argument(
  model: Model,
  spec: HookSpec,
  call: HookCall,
  code: string,
  name: string,
  index: number,
): GuestArg {
  const filled = spec.filled[name]
  switch (filled) {
    case undefined:
      return { json: call.args[index] ?? null }
    case 'formModel':
      return { json: mentions(code, name) ? model.form : null }
    case 'subFormData':
      return { json: mentions(code, name) ? subFormData(model, call.key) : null }
    case 'callback':
      return CALLS_BACK.test(withoutComments(code)) ? { place: filled } : { json: null }
    default:
      return { place: filled }
  }
}
const mentions = (code: string, name: string): boolean =>
  code.includes(name) || code.includes('arguments') || code.includes('eval')

/**
 * Code that can reach its callback (HOOKS 6.2): by name, or by `arguments`, unless it only reads their number or one of the first three. A quote after
 * that word ends a text.
 */
const CALLS_BACK = /callback|\beval\b|\barguments\b(?!\s*(?:['"`]|\.|\?\.\w|\[\s*[0-2]\s*\]))/

/** Comments on lines where they cannot be part of a text or a pattern: the result may still contain comments, but never loses code. */
const COMMENT = /^([^'"`/\n]*)(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/gm
const withoutComments = (code: string): string => code.replace(COMMENT, '$1')

function subFormData(model: Model, key: string): Json {
  const node = model.pageNode(key)
  if (!node) return null
  if (model.subForms.has(node.key)) return model.value(node.key)
  return node.subForm === null ? null : model.value(node.subForm)
}
