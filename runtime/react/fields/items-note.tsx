import type { NodeState } from '../../core/engine.ts'
import { useText } from '../page/page-context.ts'

/** Says why there are no choices: they are being loaded, could not be loaded, or there are none. */
export function ItemsNote({ state }: { readonly state: NodeState }) {
  const t = useText()
  const { items, itemsState } = state
  const why = itemsState === 'loading' || itemsState === 'failed' ? itemsState : 'none'
  return why !== 'none' || items.length === 0 ? (
    <span className="vf-quiet">{t(`widget.items.${why}`)}</span>
  ) : null
}
