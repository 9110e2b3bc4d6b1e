import { Glyph } from '../kit/glyph.tsx'
import { useText } from '../page/page-context.ts'

/** The button that clears a field. */
export function ClearButton({ onClear }: { readonly onClear: () => void }) {
  const t = useText()
  return (
    <button type="button" className="vf-clear" aria-label={t('widget.clear')} onClick={onClear}>
      <Glyph name="cross" size={14} />
    </button>
  )
}
