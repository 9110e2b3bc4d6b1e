import { memo, type ReactNode, useContext } from 'react'
import type { Engine, NodeState } from '../core/engine.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { itemsOf } from '../core/model/items.ts'
import type { TemplateNode } from '../core/model/node-state.ts'
import type { NodeKey } from '../core/page/page.ts'
import { Guard } from './guard.tsx'
import { GrowingChild, useEngine, usePage } from './page-context.ts'
import { useNode } from './use-node.ts'

/** Draws one node by its type; nothing while it is hidden. Drawn again only when its own state changed. */
export const WidgetView = memo(function WidgetView({ nodeKey }: { readonly nodeKey: NodeKey }) {
  const { Children } = usePage()
  const state = useNode(nodeKey)
  if (state.hidden) return null
  const body = state.children.length > 0 ? <Children container={nodeKey} keys={state.children} /> : null
  return <Frame state={state} row={undefined} body={body} />
})

/** Draws one widget of a card: everything about it was decided by the core for that row. */
export function TemplateView({
  node,
  row,
}: {
  readonly node: TemplateNode
  readonly row: JsonObject
}): ReactNode {
  const engine = useEngine()
  if (node.hidden) return null
  const body = node.children.map((child) => <TemplateView key={child.key} node={child} row={row} />)
  return <Frame state={asState(node, engine)} row={row} body={body} />
}

function Frame({ state, row, body }: { state: NodeState; row: JsonObject | undefined; body: ReactNode }) {
  const { engine, views, onDraw } = usePage()
  const { type } = state.node
  const View = views.get(type) ?? views.get('unsupported')
  const grows = useContext(GrowingChild) === state.node.name && state.node.name !== ''
  onDraw?.(state.key)
  return (
    <div
      className={classNames(type, state.options.customClass, grows)}
      data-widget={type}
      data-key={state.key}
      {...(state.node.field ? { 'data-field': state.address } : {})}
    >
      <Guard type={type} pointer={state.node.pointer} text={engine.ports.text}>
        {View ? <View state={state} row={row} body={body} /> : null}
      </Guard>
    </div>
  )
}

const CLASS_NAME = /^[\w-]+$/

function classNames(type: string, custom: Json | undefined, grows: boolean): string {
  const list = Array.isArray(custom)
    ? (custom as readonly Json[])
    : typeof custom === 'string'
      ? custom.split(/\s+/)
      : []
  const own = list.filter((name): name is string => typeof name === 'string' && CLASS_NAME.test(name))
  return ['vf-w', `vf-w-${type}`, ...(grows ? ['vf-grows'] : []), ...own].join(' ')
}

function asState(node: TemplateNode, engine: Engine): NodeState {
  return {
    key: node.key,
    address: '',
    node: node.node,
    options: node.options,
    label: node.label,
    value: node.value,
    hidden: node.hidden,
    disabled: node.options.disabled === true,
    readonly: true,
    required: false,
    readMode: true,
    error: null,
    items: node.options.dict === undefined ? [] : itemsOf(node.options, engine.scope().dict),
    itemsState: 'ready',
    children: [],
    rows: null,
  }
}
