import { isObject, type Json } from '../json.ts'
import { VARIABLES_CELL } from '../state/cells.ts'
import { flag, type PowerContext, type Powers, text } from './power.ts'

/** The kind of a node's reference in the guest, which determines its methods. */
export function refKind(
  { model }: Pick<PowerContext, 'model'>,
  key: string,
): 'field' | 'subForm' | 'container' {
  const node = model.pageNode(key)
  if (node && model.subForms.has(node.key)) return 'subForm'
  if (node === undefined || node.field) return 'field'
  const holds = node.children.length > 0 || node.widget.category === 'container'
  return holds || node.spec.kind === 'container' || node.spec.kind === 'part' ? 'container' : 'field'
}

/** Types that `getDialogOrDrawerRef` may return. */
const HOSTING: ReadonlySet<string> = new Set(['dialog', 'drawer'])

const ICONS: ReadonlyMap<Json | undefined, string> = new Map([
  ['success', 'success'],
  ['error', 'error'],
  ['warning', 'error'],
])
/** Duration of a toast with a type; a plain text uses the default duration. */
const TYPED_MS = 2_000

/** Calls besides those of widgets: finding them, messages, requests to the page. */
export const PAGE_POWERS: Powers = {
  'page.widget': (context, [name, showError]) => {
    const key = context.model.find(text(name))
    if (key !== undefined) return { kind: refKind(context, key), key }
    if (showError !== undefined && flag(showError)) {
      context.effect({ name: 'widgetNotFound', args: [text(name)] })
    }
    return undefined
  },
  'page.openLayer': (context) => {
    const open = [...context.model.page.nodes.values()].filter(
      ({ key, spec }) => HOSTING.has(spec.type) && context.model.node(key).options.open === true,
    )
    const key = open.at(-1)?.key
    return key === undefined ? undefined : { kind: refKind(context, key), key }
  },
  'page.toast': ({ effect }, [message, type, duration]) => {
    const typed = typeof type === 'string' ? [TYPED_MS] : []
    const lasting = typeof duration === 'number' && duration > 0 ? [duration] : typed
    effect({ name: 'toast', args: [text(message), ICONS.get(type) ?? 'none', ...lasting] })
    return undefined
  },
  'page.emit': ({ effect }, [name, args]) => {
    effect({ name: 'emit', args: [text(name), Array.isArray(args) ? args : []] })
    return undefined
  },
  'page.log': ({ effect }, [level, message]) => {
    effect({ name: 'log', args: [text(level), text(message)] })
    return undefined
  },
  'page.request': ({ request }, [name, args]) => request(text(name), Array.isArray(args) ? args : []),
  'page.values': ({ model }) => model.form,
  'page.variables': ({ model, variables }) => {
    const written = model.read(VARIABLES_CELL) ?? variables
    return isObject(written) ? written : {}
  },
  'page.setVariables': (context, [variables]) => {
    context.write([{ cell: VARIABLES_CELL, value: isObject(variables) ? variables : {} }])
    return undefined
  },
}
