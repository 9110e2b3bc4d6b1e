import { plainText } from '../../core/widgets/values.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state, body }: ViewProps) {
  const t = useText()
  const valueText = plainText(state.value)
  return (
    <>
      <div className="vf-notice" role="note">
        <b>{t('widget.unsupported', { type: state.node.widget.type })}</b>
        <span>{[state.label || state.node.name, valueText].filter(Boolean).join(' · ')}</span>
      </div>
      {body}
    </>
  )
}
