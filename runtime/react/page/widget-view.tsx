import { memo, type ReactNode, useContext } from 'react'
import type { Engine, NodeState } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { itemsOf } from '../../core/model/items.ts'
import type { TemplateNode } from '../../core/model/node-state.ts'
import type { NodeKey } from '../../core/page/page.ts'
import { customClasses } from './custom-class.ts'
import { CardErrorBoundary, ErrorBoundary } from './error-boundary.tsx'
import { GrowingChild, type PageContextValue, usePage } from './page-context.ts'
import { useNode } from './use-node.ts'

/** Draws one node by its type; nothing while it is hidden. Renders only when its own state changes. */
export const WidgetView = memo(function WidgetView({ nodeKey }: { readonly nodeKey: NodeKey }) {
  const page = usePage()
  const state = useNode(nodeKey)
  const grows = useGrows(state.node)
  if (state.hidden) return null
  const { Children } = page
  const body = state.children.length > 0 ? <Children container={nodeKey} keys={state.children} /> : null
  return frame(page, grows, state, undefined, body, true)
})

/**
 * Draws the widgets of a card, whose states the core has computed for that row. One error boundary covers all of them; only after an error each gets
 * its own, since scrolling a list creates one per card.
 */
export function TemplateViews({
  nodes,
  row,
}: {
  readonly nodes: readonly TemplateNode[]
  readonly row: JsonObject
}): ReactNode {
  return <CardErrorBoundary draw={(each) => draw(nodes, row, each)} />
}

const draw = (nodes: readonly TemplateNode[], row: JsonObject, isGuarded: boolean): ReactNode =>
  nodes.map((node) =>
    node.hidden ? null : <TemplateView key={node.key} node={node} row={row} isGuarded={isGuarded} />,
  )

interface TemplateProps {
  readonly node: TemplateNode
  readonly row: JsonObject
  readonly isGuarded: boolean
}

function TemplateView({ node, row, isGuarded }: TemplateProps): ReactNode {
  const page = usePage()
  const body = node.children.length === 0 ? null : draw(node.children, row, isGuarded)
  return frame(page, useGrows(node.node), asState(node, page.engine), row, body, isGuarded)
}

const useGrows = ({ name }: NodeState['node']): boolean => useContext(GrowingChild) === name && name !== ''

/** The wrapper of a widget. */
function frame(
  { engine, views, onDraw }: PageContextValue,
  grows: boolean,
  state: NodeState,
  row: JsonObject | undefined,
  body: ReactNode,
  isGuarded: boolean,
): ReactNode {
  const { type } = state.node
  const View = views.get(type) ?? views.get('unsupported')
  const view = View ? <View state={state} row={row} body={body} /> : null
  onDraw?.(state.key)
  return (
    <div
      className={classNames(type, state.options.customClass, grows)}
      data-widget={type}
      data-key={state.key}
      {...(state.node.field ? { 'data-field': state.address } : {})}
    >
      {isGuarded ? (
        <ErrorBoundary type={type} pointer={state.node.pointer} text={engine.ports.text}>
          {view}
        </ErrorBoundary>
      ) : (
        view
      )}
    </div>
  )
}

function classNames(type: string, custom: Json | undefined, grows: boolean): string {
  const classes = custom === undefined || custom === '' ? [] : customClasses(custom)
  return `vf-w vf-w-${type}${grows ? ' vf-grows' : ''}${classes.length > 0 ? ` ${classes.join(' ')}` : ''}`
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
    folded: node.options.folded === true,
    readMode: true,
    error: null,
    items: node.options.dict === undefined ? [] : itemsOf(node.options, engine.scope().dict),
    itemsState: 'ready',
    children: [],
    rows: null,
  }
}
