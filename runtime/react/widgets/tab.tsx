import { useCallback, useEffect, useId } from 'react'
import { TabStrip } from '../kit/tab-strip.tsx'
import { textOf } from '../page/options.ts'
import { usePage } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { useNodes } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { WidgetView } from '../page/widget-view.tsx'

export function View({ state }: ViewProps) {
  const id = useId()
  const { engine, revealer } = usePage()
  const fire = useFire(state)
  const panes = useNodes(state.children).filter((pane) => !pane.hidden)
  const named = textOf(state.options.active)
  const active =
    panes.find((pane) => pane.node.name === named && named !== '') ??
    panes.find((pane) => pane.options.active === true) ??
    panes[0]
  const open = useCallback((name: string) => engine.setOption(state.key, 'active', name), [engine, state.key])
  useEffect(
    () =>
      revealer.register(state.key, (child) => {
        open(engine.node(child).node.name)
      }),
    [revealer, engine, state.key, open],
  )
  if (active === undefined) return null
  return (
    <div className={`vf-tab${state.options.sticky === true ? ' vf-tab-sticky' : ''}`}>
      <TabStrip
        id={id}
        look={state.options.displayType === 'border-card' ? 'card' : 'line'}
        colour={textOf(state.node.widget.options.colorStyle)}
        ellipsis={state.options.textEllipsis !== false}
        tabs={panes.map((pane) => ({
          key: pane.key,
          label: pane.label || pane.node.name,
          disabled: pane.disabled,
        }))}
        active={active.key}
        onPick={(key) => {
          if (key === active.key) return
          const pane = engine.node(key)
          open(pane.node.name)
          void fire('tabbarChange', [panes.findIndex((one) => one.key === key), pane.node.name, pane.label])
        }}
      />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active.key}`}>
        <WidgetView key={active.key} nodeKey={active.key} />
      </div>
    </div>
  )
}
