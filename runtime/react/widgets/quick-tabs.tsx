import { useId } from 'react'
import { sameJson, valueAt } from '../../core/json.ts'
import { TabStrip } from '../kit/tab-strip.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const id = useId()
  const t = useText()
  const engine = useEngine()
  const scope = useScope()
  const { options } = state
  const { items } = state
  const chosen = items.find((item) => sameJson(item.value, state.value)) ?? items[0]
  if (chosen === undefined) return <div className="vf-tabs" />
  const counts = textOf(options.counts)
  const keyOf = (value: unknown) => JSON.stringify(value)
  return (
    <div className={options.sticky === true ? 'vf-sticky' : ''}>
      <TabStrip
        id={id}
        look={options.displayType === 'chips' ? 'chips' : 'line'}
        label={state.label || t('widget.filter')}
        tabs={items.map((item) => {
          const count = counts === '' ? undefined : valueAt(scope, `${counts}.${textOf(item.value)}`)
          return {
            key: keyOf(item.value),
            label: item.label,
            disabled: state.disabled || item.disabled === true,
            count: typeof count === 'number' ? count : undefined,
          }
        })}
        active={keyOf(chosen.value)}
        onPick={(key) => {
          const item = items.find((one) => keyOf(one.value) === key)
          if (item) engine.change(state.key, item.value)
        }}
      />
    </div>
  )
}
