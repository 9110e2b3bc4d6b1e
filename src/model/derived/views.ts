import type { JsonObject } from '../../../runtime/core/json.ts'
import { sheetButton } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** Parts of a list page that keep what is asked for under a name, each for its place there. */
export interface ViewParts {
  /** Opens the list with the view that is the reader's default, unless a link names a tab. */
  readonly load: readonly JsonObject[]
  readonly tool: JsonObject
  /** At a desk the views stand in a row above the list. */
  readonly tabs: JsonObject
  readonly sheet: JsonObject
}

/** The fragments that lists of the product keep their views with, over the calls of an own module. @param names  of the fields that ask */
export function viewParts(module: string, names: readonly string[], words: DerivedWords): ViewParts {
  const stateKeys = ['tab', 'keyword', 'sort', ...names].map((name) => [name, `{{ form.${name} }}`])
  return {
    load: [
      {
        do: 'request',
        dsName: 'views',
        silent: true,
        if: { '!': { var: 'params.tab' } },
        then: [{ fragment: 'act/open-view' }],
      },
    ],
    tool: sheetButton('viewsButton', words.views, 'AppstoreOutline', 'viewsSheet', [
      { do: 'refresh', dsName: 'views' },
    ]),
    tabs: { fragment: 'list/view-tabs' },
    sheet: { fragment: 'sheet/views', with: { module: `m/${module}`, state: Object.fromEntries(stateKeys) } },
  }
}
