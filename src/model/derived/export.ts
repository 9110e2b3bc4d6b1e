import type { JsonObject } from '../../../runtime/core/json.ts'
import { ownCall } from '../page-parts.ts'
import { manySource } from './many.ts'
import { button, holds } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** The call that writes what a list asks for into a sheet. */
export const exportSource = (module: string, list: JsonObject): JsonObject =>
  manySource('exportRows', ownCall(module, 'export'), list)

/** The button that does, among those of the filters: what was found goes out, not all there is. */
export const exportButton = (module: string, words: DerivedWords): JsonObject =>
  button(
    'filterExport',
    words.export,
    [
      {
        do: 'request',
        dsName: 'exportRows',
        then: [
          { do: 'closeSheet', name: 'filters' },
          { do: 'toast', text: words.exportBegun },
          { do: 'navigate', url: `/pages/my/transfer/index?module=m/${module}` },
        ],
      },
    ],
    { type: 'default', visibleOn: holds(module, 'export') },
  )
