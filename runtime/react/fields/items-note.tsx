import type { NodeState } from '../../core/engine.ts'
import { useText } from '../page/page-context.ts'

/** Says why there are no choices: they are being loaded, could not be loaded, or there are none. */
export function ItemsNote({ state }: { readonly state: NodeState }) {
  const t = useText()
  if (state.itemsState === 'loading') return <span className="vf-quiet">{t('widget.items.loading')}</span>
  if (state.itemsState === 'failed') return <span className="vf-quiet">{t('widget.items.failed')}</span>
  return state.items.length === 0 ? <span className="vf-quiet">{t('widget.items.none')}</span> : null
}
