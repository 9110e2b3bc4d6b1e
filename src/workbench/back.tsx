import { Glyph } from '../../runtime/react/kit/glyph.tsx'
import { useEngine } from '../../runtime/react/page/page-context.ts'
import { t } from './context.ts'

/** A link back to the previous page; overlays that cover the app have their own. */
export function Back() {
  const { navigator } = useEngine().ports
  return (
    <button
      type="button"
      className="wb-icon"
      aria-label={t('workbench.back')}
      onClick={() => navigator.back()}
    >
      <Glyph name="right" size={18} />
    </button>
  )
}
