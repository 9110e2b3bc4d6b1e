import { numberOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'

/** Default z-index of popups. */
const Z_INDEX = 3000

/** The z-index of layers: `popupZIndex` of the form, or 3000. Of two layers the one opened last is above. */
export function useLayerHeight(): number {
  return numberOf(useEngine().page.config.popupZIndex, Z_INDEX)
}
